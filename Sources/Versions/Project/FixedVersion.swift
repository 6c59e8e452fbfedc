/// A version in an XcodeGen project that outranks every `.xcconfig` file, so that setting it there
/// has no effect.
package struct FixedVersion: Hashable, Sendable {
    package enum Place: Hashable, Sendable {
        /// Among the settings of the project or the target, which Xcode ranks above their files.
        case settings
        /// As a text in the Info.plist that XcodeGen writes, which refers to no setting.
        case infoPlist
    }

    package let place: Place
    /// The project file.
    package let path: String
    /// The settings that are in the way: `MARKETING_VERSION`, `CURRENT_PROJECT_VERSION`.
    package let names: [String]
    /// Where the project file itself has them, from 1; empty where an included file does.
    package let lines: [Int]

    /// What must be so that a tag decides the version.
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
