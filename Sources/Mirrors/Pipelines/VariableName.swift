/// Names of environment variables.
package enum VariableName {
    /// Whether only the server sets the variable.
    package static func isReserved(_ name: String) -> Bool {
        reserved.contains(name) || name.utf8.starts(with: "OTA_".utf8)
    }

    /// Whether the name consists of ASCII letters, digits and underscores, and does not begin with a digit.
    package static func isValid(_ name: String) -> Bool {
        guard let first = name.utf8.first, first > UInt8(ascii: "9") else { return false }
        return name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
    }

    private static let reserved: Set = [
        "TAG", "VERSION", "MARKETING_VERSION", "BUILD_NUMBER", "CHANNEL", "COMMIT", "NOTES",
        "HOME", "TMPDIR", "CI", "BRANCH",
    ]
}
