import Essentials

extension Problem {
    /// What any error says: those of ours say it themselves, and of all others this is the only
    /// place that turns them into words.
    ///
    /// - Parameter error: an error of ours, of the operating system, of Foundation or of a library.
    package init(_ error: any Error) {
        if let error = error as? any ReportableError {
            self = error.problem
        } else if error is CancellationError {
            self.init(
                id: "system.cancelled",
                kind: .failed,
                message: "it was cancelled before it was done",
                fix: "start it again",
            )
        } else {
            self.init(foreign: error)
        }
    }

    /// Foundation wraps what the system says in words that name no cause.
    private init(foreign error: any Error) {
        let cocoa = error as? CocoaError
        let cause = (cocoa?.underlying ?? error) as? POSIXError
        let message =
            cause.map { unsafe String(cString: strerror($0.code.rawValue)).lowercased() }
            ?? "\(error)"
        self.init(
            id: "system.failure",
            kind: .unavailable,
            message: "the operating system reported: \(message)",
            place: cocoa?.filePath ?? "",
            fix: "check the path, its permissions and the free space",
        )
    }
}
