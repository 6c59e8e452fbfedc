package import HTTPCalling

extension S3Failure {
    /// Converts a connection error, which means that there is no response.
    package init(_ trouble: CallTrouble, from host: String) {
        self =
            switch trouble {
            case .untrusted(let reason): .untrusted(reason: reason)
            case .unreachable(let reason): .unreachable(host: host, reason: reason)
            case .tooSlow(let seconds): .tooSlow(host: host, seconds: seconds)
            case .answerTooLarge(let limit): .answerTooLarge(limit: limit)
            case .interrupted: .interrupted
            }
    }
}
