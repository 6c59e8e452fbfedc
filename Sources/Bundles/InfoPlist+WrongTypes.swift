package import PropertyLists

extension InfoPlist {
    /// A key with a value of another type than installd reads.
    package struct WrongType: Equatable, Sendable {
        package let key: String
        package let expected: String
        package let found: String
    }

    /// The keys known here whose values have another type than Apple documents.
    package var wrongTypes: [WrongType] {
        let strings = Self.strings.map { check($0, "a string") { $0.shortString != nil } }
        let others = [
            check("UIDeviceFamily", "an array of numbers") { $0.array != nil || $0.integer != nil },
            check("CFBundleSupportedPlatforms", "an array of strings") { $0.strings != nil },
            check("CFBundleIcons", "a dictionary") { $0.dictionary != nil },
            check("NSExtension", "a dictionary") { $0.dictionary != nil },
        ]
        return (strings + others).compactMap(\.self)
    }

    private func check(
        _ key: String,
        _ expected: String,
        _ accepts: (PropertyList) -> Bool,
    ) -> WrongType? {
        guard let value = values[key], !accepts(value) else { return nil }
        // Only values that may be strings can be too long.
        if Self.strings.contains(key), value.string != nil {
            return WrongType(
                key: key,
                expected: "a shorter one",
                found: "a string of more than a kilobyte",
            )
        }
        return WrongType(key: key, expected: expected, found: value.kindTitle)
    }

    private static let strings = [
        "CFBundleIdentifier", "CFBundleShortVersionString", "CFBundleVersion",
        "CFBundleExecutable", "CFBundlePackageType", "CFBundleDisplayName", "CFBundleName",
        "MinimumOSVersion", "DTPlatformName", "WKCompanionAppBundleIdentifier",
    ]
}

extension PropertyList {
    /// The type in words, with an article.
    package var kindTitle: String {
        switch self {
        case .string: "a string"
        case .integer, .unsigned: "an integer"
        case .real: "a real number"
        case .boolean: "a boolean"
        case .date: "a date"
        case .data: "data"
        case .array: "an array"
        case .dictionary: "a dictionary"
        case .uid: "a keyed-archiver reference"
        }
    }
}
