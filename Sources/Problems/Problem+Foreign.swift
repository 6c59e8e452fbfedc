import Essentials

extension Problem {
    /// Describes any error: a ``ReportableError`` by its own properties, any other one with the words of
    /// this file.
    ///
    /// - Parameter error: an error of this package, the operating system, Foundation or a library.
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

    /// Foundation's messages do not contain the cause, so the underlying system error is used.
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
