#include <stddef.h>
#include <stdint.h>

/// Runs libFuzzer over a test, for a program that has a beginning of its own.
int LLVMFuzzerRunDriver(
    int *argument_count, char ***arguments,
    int (*test)(const uint8_t *start, size_t count));
