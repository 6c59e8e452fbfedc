import Versions

/// `settings`: reading an `.xcconfig` takes bounded work, and writing new versions changes nothing else in
/// it.
struct Settings: PlainInputKind {
    static let name = "settings"

    private static let version = "MARKETING_VERSION"
    private static let build = "CURRENT_PROJECT_VERSION"

    static func seeds(by authority: SeedAuthority) -> [String: [UInt8]] {
        let cases = [
            "MARKETING_VERSION = 1.2.0 // here\r\nCURRENT_PROJECT_VERSION=5;\r\n",
            "#include? \"Local.xcconfig\"\nA = $(B:default=$(C)) ${D} \\\n  $()\nB = 1",
            "A[sdk=iphoneos*][arch=arm64] = $(inherited) x\nA[config=Debug,sdk=*] = 2",
            "URL = https:/$()/example.com\n// no setting\nA = $(A_$(B:lower):upper)\nB = X",
            "\u{FEFF}A = $(B:rfc1034identifier)\nB = $(C:c99extidentifier) \\", "1A = 2\nA 3\n#x",
        ]
        return Dictionary(
            uniqueKeysWithValues: cases.enumerated().map { ("\($0)", Array($1.utf8)) }
        )
    }

    func check(_ input: [UInt8]) {
        guard let text = String(validating: input, as: UTF8.self) else { return }
        let values = [(name: Self.version, value: "7.8.9"), (name: Self.build, value: "42")]
        let changed = ConfigFile.setting(values, in: text)
        promise(
            Array(ConfigFile.setting(values, in: changed).utf8) == Array(changed.utf8),
            "a file with the versions is changed once more",
        )
        guard let old = Self.statements(of: text) else { return }
        guard let new = Self.statements(of: changed) else {
            stop("a file that was read is not read with new versions")
        }
        promise(
            old.filter(Self.isElse) == new.filter(Self.isElse),
            "new versions change other settings",
        )
        for (name, value) in values {
            let given = new.filter { $0.hasPrefix("\(name)[] = ") }
            promise(
                !given.isEmpty && given.allSatisfy { $0 == "\(name)[] = \(value)" },
                "\(name) has another value than it was given",
            )
        }
        checkValues(of: text)
    }

    /// The statements without their line numbers.
    private static func statements(of text: String) -> [String]? {
        let file = accepted { () throws(SettingsFlaw) in try ConfigFile(text, path: "a.xcconfig") }
        return file?.statements.map { statement in
            switch statement {
            case .include(let path, let isOptional, _): "#\(path) \(isOptional)"
            case .assignment(let assignment):
                assignment.name + "\(assignment.conditions.map { [$0.parameter, $0.pattern] })"
                    + " = \(assignment.value)"
            }
        }
    }

    private static func isElse(_ statement: String) -> Bool {
        ![version, build].contains { statement.hasPrefix("\($0)[] = ") }
    }

    private func checkValues(of text: String) {
        let file = accepted { () throws(SettingsFlaw) in try ConfigFile(text, path: "a.xcconfig") }
        let assignments = (file?.statements ?? []).compactMap { statement -> SettingAssignment? in
            guard case .assignment(let assignment) = statement else { return nil }
            return assignment
        }
        for configuration in ["Debug", "Release"] {
            let settings = BuildSettings(
                layers: [assignments],
                context: SettingContext(configuration: configuration),
            )
            for name in Set(assignments.map(\.name)) {
                let value = accepted { () throws(SettingsFlaw) in try settings.value(of: name) }
                promise((value??.text.utf8.count ?? 0) <= 32 << 10, "\(name) grows without bound")
            }
        }
    }
}
