import HTTPServing

extension ListenFailure.Cause {
    /// How to fix it, with the options of `ota serve`.
    var fix: String {
        switch self {
        case .taken, .other:
            "stop the other program, or give another --port, --plain-port or --host"
        case .notPermitted: "give a --port and --plain-port above 1023"
        case .foreignAddress, .unknownHost:
            "give as --host an address of this machine, such as 0.0.0.0"
        }
    }
}
