# CMake reads this right after llama.cpp's `project()`: how the radio's llama.cpp is built in less time.

# Python calls libllama and ggml alone. `common` serves the command-line tools.
# The file above llama.cpp's forces it on.
set(LLAMA_BUILD_COMMON OFF CACHE BOOL "" FORCE)

# libllama loads models and builds graphs for ggml, whose kernels keep -O3, as does the choice of each token.
if(NOT MSVC)
    cmake_language(DEFER CALL target_compile_options llama PRIVATE -O1)
    cmake_language(DEFER CALL set_source_files_properties src/llama-sampler.cpp TARGET_DIRECTORY llama
        PROPERTIES COMPILE_OPTIONS -O3)
endif()
