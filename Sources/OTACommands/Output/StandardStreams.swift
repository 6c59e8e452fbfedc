import Foundation

/// The three descriptors that every program counts on.
enum StandardStreams {
    /// Points those that are closed at nothing, so that the first file that is opened does not take
    /// the place of standard output and receive what is printed.
    static func occupy() {
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]
        where fcntl(descriptor, F_GETFD) == -1 {
            _ = unsafe open("/dev/null", O_RDWR)
        }
    }
}
