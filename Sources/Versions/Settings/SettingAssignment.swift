/// An assignment to a setting: `OTHER_LDFLAGS[sdk=iphoneos*] = $(inherited) -ObjC`.
package struct SettingAssignment: Hashable, Sendable {
    package let name: String
    package let conditions: [Condition]
    package let value: String
    /// The file and line, or the path in a project file, for messages.
    package let origin: String

    package struct Condition: Hashable, Sendable {
        package let parameter: String
        package let pattern: String
    }

    package init(name: String, conditions: [Condition] = [], value: String, origin: String) {
        self.name = name
        self.conditions = conditions
        self.value = value
        self.origin = origin
    }

    /// The number of bytes to examine to decide whether it applies.
    var size: Int {
        conditions.reduce(10 + name.utf8.count) {
            $0 + $1.parameter.utf8.count + $1.pattern.utf8.count
        }
    }

    /// Whether it applies to a build for iOS devices.
    func holds(in build: SettingContext) -> Bool {
        conditions.allSatisfy { condition in
            switch condition.parameter {
            case "sdk":
                ["iphoneos", "iphoneos26.0"].contains { matches(condition.pattern, $0) }
            case "arch": matches(condition.pattern, "arm64")
            case "config": matches(condition.pattern, build.configuration)
            case "variant": matches(condition.pattern, "normal")
            default: false
            }
        }
    }

    /// Whether a pattern with `*` and `?` matches, as in a shell; linear time for one star.
    private func matches(_ pattern: String, _ text: String) -> Bool {
        let pattern = Array(pattern.utf8)
        let text = Array(text.utf8)
        var (at, place) = (0, 0)
        var star: (pattern: Int, text: Int)?
        while place < text.count {
            if at < pattern.count, pattern[at] == UInt8(ascii: "*") {
                star = (at, place)
                at += 1
            } else if at < pattern.count,
                pattern[at] == UInt8(ascii: "?") || pattern[at] == text[place]
            {
                at += 1
                place += 1
            } else if let last = star {
                star = (last.pattern, last.text + 1)
                (at, place) = (last.pattern + 1, last.text + 1)
            } else {
                return false
            }
        }
        return pattern[at...].allSatisfy { $0 == UInt8(ascii: "*") }
    }
}

/// The build that conditions refer to.
package struct SettingContext: Hashable, Sendable {
    package let configuration: String

    package init(configuration: String) {
        self.configuration = configuration
    }
}
