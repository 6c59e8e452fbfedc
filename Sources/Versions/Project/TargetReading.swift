/// Evaluates targets as XcodeGen does: templates, setting groups and settings files.
struct TargetReading {
    private let spec: ProjectSpec
    private let tree: SourceTree
    private var work = SettingWork()
    /// The files read so far, by path.
    private var files: [String: [SettingAssignment]] = [:]

    init(_ spec: ProjectSpec, in tree: SourceTree) {
        self.spec = spec
        self.tree = tree
    }

    private var root: SpecValue { spec.root }
    private var path: String { spec.path }

    /// A target in every configuration.
    ///
    /// - Throws: ``SettingsFlaw`` with the faulty file.
    mutating func target(_ name: String) throws(SettingsFlaw) -> [XcodeProject.Target] {
        let target = try templated(root["targets"][name], name: name, depth: 0)
        var targets: [XcodeProject.Target] = []
        for configuration in spec.configurations {
            targets.append(try self.target(target, name, configuration: configuration))
        }
        return targets
    }

    private mutating func target(
        _ target: SpecValue,
        _ name: String,
        configuration: String,
    ) throws(SettingsFlaw) -> XcodeProject.Target {
        try work.spend(SettingWork.target, at: path)
        let place = "\(path) \(name)"
        let ofProject = try assignments(root["settings"], configuration, at: path, depth: 0)
        let ofTarget = try assignments(target["settings"], configuration, at: place, depth: 0)
        let settings = BuildSettings(
            layers: [
                builtIn(name),
                try configFile(root, configuration),
                ofProject,
                try configFile(target, configuration),
                identifier(name),
                ofTarget,
            ],
            context: SettingContext(configuration: configuration),
        )
        let plist = PlistVersions(target["info"], at: place)
        let hasOwnFile = target["configFiles"][configuration].text != nil
        return XcodeProject.Target(
            name: name,
            configuration: configuration,
            isApplication: target["type"].text?.hasPrefix("application") == true,
            bundleIdentifier: try settings.value(
                of: "PRODUCT_BUNDLE_IDENTIFIER",
                within: &work,
            ),
            marketingVersion: try plist.value(
                "CFBundleShortVersionString",
                else: "MARKETING_VERSION",
                of: settings,
                within: &work,
            ),
            buildNumber: try plist.value(
                "CFBundleVersion",
                else: "CURRENT_PROJECT_VERSION",
                of: settings,
                within: &work,
            ),
            fixedVersion: fixedVersion(plist, in: (hasOwnFile ? [] : ofProject) + ofTarget),
        )
    }

    /// The version that takes precedence over the target's settings file, or over the project's.
    private func fixedVersion(
        _ plist: PlistVersions,
        in strongest: [SettingAssignment],
    ) -> FixedVersion? {
        guard !plist.isFixed("CFBundleShortVersionString") else {
            return FixedVersion(place: .infoPlist, path: path, names: [], lines: [])
        }
        let names = ["MARKETING_VERSION", "CURRENT_PROJECT_VERSION"].filter { name in
            strongest.contains { $0.name == name }
        }
        guard names.contains("MARKETING_VERSION") else { return nil }
        return FixedVersion(
            place: .settings,
            path: path,
            names: names,
            lines: spec.lines(of: names),
        )
    }

    /// Xcode's built-in settings.
    private func builtIn(_ name: String) -> [SettingAssignment] {
        let values = [
            "TARGET_NAME": name, "PRODUCT_NAME": "$(TARGET_NAME)",
            "PROJECT_NAME": root["name"].text ?? "", "SDKROOT": "iphoneos",
            "PLATFORM_NAME": "iphoneos", "EFFECTIVE_PLATFORM_NAME": "-iphoneos",
        ]
        return values.map { SettingAssignment(name: $0.key, value: $0.value, origin: "Xcode") }
    }

    /// The identifier that XcodeGen generates for a target without one.
    private func identifier(_ name: String) -> [SettingAssignment] {
        guard let prefix = root["options"]["bundleIdPrefix"].text else { return [] }
        let plain = name.replacing("_", with: "-")
            .filter { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "." }
        return [
            SettingAssignment(
                name: "PRODUCT_BUNDLE_IDENTIFIER",
                value: "\(prefix).\(plain)",
                origin: "\(path) options.bundleIdPrefix",
            )
        ]
    }

    private mutating func templated(
        _ target: SpecValue,
        name: String,
        depth: Int,
    ) throws(SettingsFlaw) -> SpecValue {
        guard depth < 8 else { throw .includesItself(path) }
        var result = SpecValue.map([:])
        for template in target["templates"].items {
            guard let template = template.text else { continue }
            let value = root["targetTemplates"][template]
            guard value != .nothing else {
                throw .notAProject(path, reason: "there is no target template \(template)")
            }
            result = result.merged(with: try templated(value, name: name, depth: depth + 1))
            try work.spend(SettingWork.group + result.size, at: path)
        }
        var replacements = target["templateAttributes"].entries.compactMapValues(\.text)
        replacements["target_name"] = name
        replacements["platform"] = target["platform"].text ?? result["platform"].text ?? "iOS"
        result = result.merged(with: target)
        try work.spend(result.size, at: path)
        var room = Self.replacedLimit
        guard let replaced = result.replacing(replacements, within: &room) else {
            throw .tooMuch(path)
        }
        try work.spend(Self.replacedLimit - room, at: path)
        return replaced
    }

    /// Maximum size in bytes of all expanded templates of a target.
    private static let replacedLimit = 4 << 20

    private mutating func configFile(
        _ owner: SpecValue,
        _ configuration: String,
    ) throws(SettingsFlaw) -> [SettingAssignment] {
        guard let file = owner["configFiles"][configuration].text else { return [] }
        if files[file] == nil {
            files[file] = try ConfigFile.assignments(
                of: file,
                in: tree,
                projectFolder: spec.folder,
                within: &work,
            )
        }
        let assignments = files[file] ?? []
        try work.spend(assignments.reduce(0) { $0 + $1.size }, at: file)
        return assignments
    }

    /// Settings are a flat map, or groups, a base and one map for each configuration.
    private mutating func assignments(
        _ settings: SpecValue,
        _ configuration: String,
        at place: String,
        depth: Int,
    ) throws(SettingsFlaw) -> [SettingAssignment] {
        guard depth < 8 else { throw .includesItself(path) }
        let entries = settings.entries
        let variants = settings["configs"].entries
        let groups = settings["groups"].items
        try work.spend(
            SettingWork.group + entries.count + groups.count + SettingWork.variant * variants.count,
            at: place,
        )
        let isStructured = ["base", "configs", "groups"].contains { entries[$0] != nil }
        guard isStructured else { return try assignments(entries, at: place) }
        var result: [SettingAssignment] = []
        for group in groups.compactMap(\.text) {
            let value = root["settingGroups"][group]
            result += try assignments(
                value,
                configuration,
                at: "\(path) \(group)",
                depth: depth + 1,
            )
        }
        result += try assignments(settings["base"].entries, at: place)
        for (variant, value) in variants.sorted(by: { $0.key < $1.key })
        where spec.isMeant(configuration, by: variant) {
            result += try assignments(
                value,
                configuration,
                at: "\(place) \(variant)",
                depth: depth + 1,
            )
        }
        return result
    }

    /// A name may have conditions: `CODE_SIGN_IDENTITY[sdk=iphoneos*]`.
    private mutating func assignments(
        _ entries: [String: SpecValue],
        at place: String,
    ) throws(SettingsFlaw) -> [SettingAssignment] {
        var assignments: [SettingAssignment] = []
        for (key, value) in entries.sorted(by: { $0.key < $1.key }) {
            let text = value.text ?? value.items.compactMap(\.text).joined(separator: " ")
            try work.spend(1 + key.utf8.count + text.utf8.count, at: place)
            if !key.contains("[") {
                assignments.append(SettingAssignment(name: key, value: text, origin: place))
                continue
            }
            let file = try? ConfigFile("\(key) =", path: place)
            guard case .assignment(let read)? = file?.statements.first else { continue }
            assignments.append(
                SettingAssignment(
                    name: read.name,
                    conditions: read.conditions,
                    value: text,
                    origin: place,
                )
            )
        }
        return assignments
    }
}

/// The versions in the Info.plist that XcodeGen writes.
private struct PlistVersions {
    /// XcodeGen's defaults.
    private static let defaults = ["CFBundleShortVersionString": "1.0", "CFBundleVersion": "1"]

    private let properties: [String: SpecValue]?
    private let place: String

    /// - Parameters:
    ///   - info: the target's `info`; without it, the project's own Info.plist is assumed to refer to the
    ///     settings.
    ///   - place: the target, for messages.
    init(_ info: SpecValue, at place: String) {
        properties = info == .nothing ? nil : info["properties"].entries
        self.place = place + " info"
    }

    /// Whether the Info.plist has a literal instead of a reference to a setting.
    func isFixed(_ key: String) -> Bool {
        guard let properties else { return false }
        let text = properties[key]?.text ?? Self.defaults[key] ?? ""
        return !text.utf8.contains(UInt8(ascii: "$"))
    }

    func value(
        _ key: String,
        else setting: String,
        of settings: BuildSettings,
        within work: inout SettingWork,
    ) throws(SettingsFlaw) -> BuildSettings.Value? {
        guard let properties else { return try settings.value(of: setting, within: &work) }
        let text = properties[key]?.text ?? Self.defaults[key] ?? ""
        if text == "$(\(setting))" || text == "${\(setting)}" {
            return try settings.value(of: setting, within: &work)
        }
        return try settings.expanding(text, as: key, origin: place, within: &work)
    }
}
