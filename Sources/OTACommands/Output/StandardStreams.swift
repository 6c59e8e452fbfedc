import Foundation

/// The three standard descriptors.
enum StandardStreams {
    /// Opens `/dev/null` for those that are closed, so that the first file that is opened does not become
    /// standard output and receive what is printed.
    static func occupy() {
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]
        where fcntl(descriptor, F_GETFD) == -1 {
            _ = unsafe open("/dev/null", O_RDWR)
        }
    }
}
