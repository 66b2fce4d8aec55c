# CMake reads this right after llama.cpp's `project()`: how the radio's llama.cpp is built in less time.

# Python calls libllama and ggml alone. `common` serves the command-line tools, and costs as much as libllama.
# The file above llama.cpp's forces it on.
set(LLAMA_BUILD_COMMON OFF CACHE BOOL "" FORCE)

# libllama prepares the work of ggml: it loads models, builds graphs and samples tokens. The kernels are ggml's and
# keep -O3.
if(NOT MSVC)
    cmake_language(DEFER CALL target_compile_options llama PRIVATE -O1)
endif()
