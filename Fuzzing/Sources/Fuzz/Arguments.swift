/// This program's own part of the command line: `--name=value`.
enum Arguments {
    static func value(of name: String) -> String? {
        let prefix = "--\(name)="
        return CommandLine.arguments.last { $0.hasPrefix(prefix) }
            .map { String($0.dropFirst(prefix.count)) }
    }

    /// The folders in a colon-separated list.
    static func folders(of name: String) -> [String] {
        (value(of: name) ?? "").split(separator: ":").map(String.init)
    }

    static var seedsToWrite: String? { value(of: "write-seeds") }
}
