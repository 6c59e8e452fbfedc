/// A version in an XcodeGen project that takes precedence over every `.xcconfig` file, so that setting
/// the version there has no effect.
package struct FixedVersion: Hashable, Sendable {
    package enum Place: Hashable, Sendable {
        /// In the settings of the project or the target, which take precedence over their files in Xcode.
        case settings
        /// As a literal in the Info.plist that XcodeGen writes, instead of a reference to a setting.
        case infoPlist
    }

    package let place: Place
    /// The project file.
    package let path: String
    /// The settings that take precedence: `MARKETING_VERSION`, `CURRENT_PROJECT_VERSION`.
    package let names: [String]
    /// The line numbers in the project file, from 1; empty when they are in an included file.
    package let lines: [Int]

    /// How to let the tag determine the version.
    package func fix(for facts: VersionFacts) -> String {
        let settings = facts.settings.map { "\($0.name)=\($0.value)" }.joined(separator: " ")
        switch place {
        case .infoPlist:
            return "write CFBundleShortVersionString: $(MARKETING_VERSION) and CFBundleVersion: "
                + "$(CURRENT_PROJECT_VERSION) in the target's info.properties: no setting and no "
                + ".xcconfig file changes a number there"
        case .settings:
            let noun = lines.count == 1 ? "line" : "lines"
            let numbers = lines.map(String.init).joined(separator: ", ")
            let shown = lines.isEmpty ? "" : " (\(noun) \(numbers))"
            return
                "remove \(names.joined(separator: " and ")) from the settings in \(path)\(shown): "
                + "they outrank every .xcconfig file; or pass them on the command line, which "
                + "outranks both: xcodebuild archive … \(settings)"
        }
    }
}
