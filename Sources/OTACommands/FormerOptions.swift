import Bytes

/// Options under the names that they had in earlier versions: they are accepted, and help does not show
/// them.
enum FormerOptions {
    private static let names = [
        "--acme-anchor": "--acme-ca-file",
        "--also-host": "--allow-host",
        "--anchor": "--trusted-ca",
        "--apple-anchor": "--apple-ca-file",
        "--device-anchor": "--trusted-device-ca",
        "--keep-free": "--reserve-mb",
        "--largest-upload": "--max-upload-mb",
        "--smtp-anchor": "--smtp-ca-file",
        "--store-anchor": "--store-ca-file",
    ]
    /// `--keep` is an option of `releases prune` too.
    private static let namesOfDoctor = ["--keep": "--save-ipa", "--trust": "--trusted-ca"]

    /// Returns the arguments after `ota`, with current names in place of former ones.
    static func replaced(in arguments: [String]) -> [String] {
        let names =
            arguments.first == "doctor"
            ? names.merging(namesOfDoctor) { current, _ in current } : names
        // What follows `--` is never an option.
        let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
        return arguments[..<end].map { current($0, names) } + arguments[end...]
    }

    private static func current(_ argument: String, _ names: [String: String]) -> String {
        guard argument.hasBytes(first: "--") else { return argument }
        guard let equals = argument.utf8.firstIndex(of: UInt8(ascii: "=")) else {
            return names[argument] ?? argument
        }
        return names[String(argument[..<equals])].map { $0 + argument[equals...] } ?? argument
    }
}
