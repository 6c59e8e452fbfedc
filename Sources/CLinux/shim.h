// Linux calls that the C library declares only with _GNU_SOURCE, which Swift's Glibc module is
// built without. On other systems this header is empty.
#ifdef __linux__
#include <stddef.h>
#include <sys/types.h>
#include <sys/uio.h>

extern int sync_file_range(int fd, long long offset, long long count, unsigned int flags);
extern int fallocate(int fd, int mode, long long offset, long long count);
extern ssize_t copy_file_range(
    int source, long long *_Nullable source_offset,
    int target, long long *_Nullable target_offset,
    size_t count, unsigned int flags);

extern ssize_t preadv2(
    int fd, const struct iovec *_Nonnull pieces, int count, long long offset, int flags);

// The number of the flag differs between processors.
#if defined(__aarch64__) || defined(__arm__)
enum { OTA_O_DIRECT = 0200000 };
#else
enum { OTA_O_DIRECT = 040000 };
#endif
enum { OTA_SYNC_FILE_RANGE_WRITE = 2, OTA_FALLOC_FL_KEEP_SIZE = 1, OTA_RWF_NOWAIT = 8 };
#endif
