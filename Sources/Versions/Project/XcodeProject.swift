/// The targets of a project, from the files that Xcode reads or from which XcodeGen generates a project.
package struct XcodeProject: Sendable {
    package let targets: [Target]
    package let configurations: [String]

    /// A target in one configuration.
    package struct Target: Hashable, Sendable {
        package let name: String
        package let configuration: String
        /// Whether it is the installed app, not a part of it or a test.
        package let isApplication: Bool
        /// `PRODUCT_BUNDLE_IDENTIFIER`.
        package let bundleIdentifier: BuildSettings.Value?
        /// The value for `CFBundleShortVersionString`, usually `MARKETING_VERSION`.
        package let marketingVersion: BuildSettings.Value?
        /// The value for `CFBundleVersion`, usually `CURRENT_PROJECT_VERSION`.
        package let buildNumber: BuildSettings.Value?
        /// The place where the project file sets the version with precedence over every `.xcconfig` file;
        /// nil if it does not.
        package var fixedVersion: FixedVersion?
    }

    /// Reads a `project.yml` or a single `.xcconfig` file.
    ///
    /// - Parameters:
    ///   - path: the file, relative to the repository.
    ///   - tree: the repository.
    /// - Throws: ``SettingsFlaw`` with the faulty file.
    package init(_ path: String, in tree: SourceTree) throws(SettingsFlaw) {
        if path.hasSuffix(".xcconfig") {
            try self.init(configFile: path, in: tree)
        } else {
            try self.init(spec: ProjectSpec(path, in: tree), in: tree)
        }
    }

    /// The targets with a name and configuration; by default all applications, in the configuration for
    /// releases.
    ///
    /// - Throws: ``SettingsFlaw`` for an unknown name.
    package func targets(
        named name: String?,
        configuration: String?,
    ) throws(SettingsFlaw) -> [Target] {
        let configuration = configuration ?? (configurations.contains("Release") ? "Release" : nil)
        var chosen = targets
        if let configuration {
            guard configurations.contains(configuration) || configurations.isEmpty else {
                throw .unknownConfiguration(configuration, known: configurations)
            }
            chosen = chosen.filter { $0.configuration == configuration }
        }
        let named = chosen.filter { target in
            name.map { target.name == $0 } ?? target.isApplication
        }
        guard !named.isEmpty else {
            let known = Set(targets.map(\.name)).sorted()
            throw .unknownTarget(name ?? "of type application", known: known)
        }
        return named
    }

    private init(configFile path: String, in tree: SourceTree) throws(SettingsFlaw) {
        var work = SettingWork()
        let assignments = try ConfigFile.assignments(of: path, in: tree, within: &work)
        let size = assignments.reduce(0) { $0 + $1.size }
        let patterns = assignments.flatMap(\.conditions).filter { $0.parameter == "config" }
            .map(\.pattern)
        let named = Set(
            patterns.filter { !$0.contains("*") && !$0.contains("?") && $0.utf8.count <= 200 }
        )
        configurations = named.union(["Debug", "Release"]).sorted()
        let name = String(path.split(separator: "/").last?.dropLast(9) ?? "")
        var targets: [Target] = []
        for configuration in configurations {
            try work.spend(SettingWork.target + size, at: path)
            let settings = BuildSettings(
                layers: [assignments],
                context: SettingContext(configuration: configuration),
            )
            targets.append(
                Target(
                    name: name,
                    configuration: configuration,
                    isApplication: true,
                    bundleIdentifier: try settings.value(
                        of: "PRODUCT_BUNDLE_IDENTIFIER",
                        within: &work,
                    ),
                    marketingVersion: try settings.value(of: "MARKETING_VERSION", within: &work),
                    buildNumber: try settings.value(
                        of: "CURRENT_PROJECT_VERSION",
                        within: &work,
                    ),
                )
            )
        }
        self.targets = targets
    }

    private init(spec: ProjectSpec, in tree: SourceTree) throws(SettingsFlaw) {
        var reading = TargetReading(spec, in: tree)
        var targets: [Target] = []
        for name in spec.targetNames {
            targets += try reading.target(name)
        }
        self.targets = targets
        configurations = spec.configurations
    }
}
