import Essentials
import Mirrors
import Sandboxing

extension ChildProcess.Ending {
    /// How a step of a mirror's build failed, as the end of a sentence; nil if it succeeded.
    func problem(for mirror: Mirror) -> String? {
        switch self {
        case .exited(0): nil
        // A shell reports this status for a program that the signal killed; but a program may exit with any
        // number.
        case .exited(let code) where code == 128 + SIGXFSZ:
            "failed with exit status \(code), which a shell reports when a program is killed for writing "
                + Self.tooLarge(mirror)
        case .exited(let code): "failed with exit status \(code)"
        case .signalled(SIGXFSZ):
            "was killed by signal \(SIGXFSZ), which usually means that it wrote "
                + Self.tooLarge(mirror)
        case .signalled(let signal): "was killed by signal \(signal)"
        case .timedOut: "took too long"
        case .tooMuchOutput: "printed too much and was killed"
        case .cancelled: "was cancelled"
        }
    }

    private static func tooLarge(_ mirror: Mirror) -> String {
        "a file of more than \(mirror.limits.fileBytes >> 20) MB: if so, raise the limit "
            + "with `ota mirror set \(mirror.name) --size-limit MEGABYTES`"
    }
}
