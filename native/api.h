/* The voice's decoder and generator as a C library: everything of Kokoro-82M behind the durations. Functions
   that take `error` write a message of at most `size` bytes there when they fail.

   Sentences of one handle wait for each other, and kokoro_close for the one that is being spoken; after it
   the handle is gone. The process may end at any moment, by exit() too, while other threads are in here:
   nothing of the library is taken apart then. */
#pragma once

#define KOKORO_API __attribute__((visibility("default")))

#ifdef __cplusplus
extern "C" {
#endif

/* Instruction sets that run here, fastest first, separated by blanks. */
KOKORO_API const char* kokoro_available(void);

/* `weights`: the file that radio/models/native_weights.py writes. `isa`: "auto" or one of the above.
   `packed`: NULL, or a file of kokoro_pack; where it cannot be used, the weights are packed in memory. NULL
   on failure. */
KOKORO_API void* kokoro_open(const char* weights, const char* packed, const char* isa, int threads,
                             char* error, long size);
/* Why `packed` was not used; empty if it was, or there was none. */
KOKORO_API const char* kokoro_packed_fault(const void* handle);
/* Writes the weights as `isa` takes them. 0, or -1 on failure. */
KOKORO_API int kokoro_pack(const char* weights, const char* isa, const char* path, char* error, long size);
KOKORO_API const char* kokoro_isa(const void* handle);

/* features [512][tokens], durations [tokens] (frames of 25 ms), shared [frames][512], style [256]
   -> audio [600 * frames], 24 kHz. `seed`: of the noise in the excitation; below 0 there is none.
   `excitation` is NULL, or [22][120 * frames + 1] in place of the library's own. 0, or -1 on failure. */
KOKORO_API int kokoro_speak(void* handle, long tokens, const float* features, const float* durations,
                            long frames, const float* shared, const float* style, long seed,
                            const float* excitation, float* audio, char* error, long size);

/* Seconds since the last call: decoder, excitation, residual blocks of the generator, the rest. */
KOKORO_API void kokoro_times(void* handle, double seconds[4]);
/* Working memory that is kept between sentences; beside the packed weights. */
KOKORO_API long kokoro_working_bytes(const void* handle);
KOKORO_API void kokoro_close(void* handle);

#ifdef __cplusplus
}
#endif
