package import PropertyLists

extension InfoPlist {
    /// A key whose value has a type that installd does not read there.
    package struct WrongType: Equatable, Sendable {
        package let key: String
        package let expected: String
        package let found: String
    }

    /// The keys this reader knows that carry something else than Apple documents.
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
        // Only where a string is right can one be too long.
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
    /// The type for people, with its article.
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
