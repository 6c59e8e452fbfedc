#include <stddef.h>
#include <stdint.h>

/// Runs libFuzzer with a test function, for a program that has its own main function.
int LLVMFuzzerRunDriver(
    int *argument_count, char ***arguments,
    int (*test)(const uint8_t *start, size_t count));
