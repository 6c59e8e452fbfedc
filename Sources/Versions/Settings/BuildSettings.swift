/// The build settings of one target in one configuration.
package struct BuildSettings: Sendable {
    private let assignments: [SettingAssignment]
    /// The indices of each setting's assignments, in order.
    private let places: [String: [Int]]
    private let context: SettingContext

    /// - Parameters:
    ///   - layers: the assignments of the project's file, the project, the target's file and the target;
    ///     later ones take precedence.
    ///   - context: the configuration to build.
    package init(layers: [[SettingAssignment]], context: SettingContext) {
        let assignments = layers.joined().filter { $0.holds(in: context) }
        self.assignments = assignments
        places = Dictionary(grouping: assignments.indices) { assignments[$0].name }
        self.context = context
    }

    /// The value of a setting, with its references expanded.
    package struct Value: Hashable, Sendable {
        package let text: String
        /// The origin of the last assignment.
        package let origin: String
        /// The referenced settings that no file defines; the build's environment may define them.
        package let undefined: [String]
    }

    /// The value of a setting; nil when no file assigns one.
    ///
    /// - Throws: ``SettingsFlaw`` for a circular reference, or a value that is too long or takes too much
    ///   work.
    package func value(of name: String) throws(SettingsFlaw) -> Value? {
        var work = SettingWork()
        return try value(of: name, within: &work)
    }

    /// The value likewise, with its cost deducted from the work allowed for the project.
    func value(of name: String, within work: inout SettingWork) throws(SettingsFlaw) -> Value? {
        guard let last = places[name]?.last else { return nil }
        var expansion = SettingExpansion(
            assignments: assignments,
            places: places,
            context: context,
            name: name,
            work: work,
        )
        let text = try expansion.value(of: name, below: assignments.count, depth: 0)
        work = expansion.work
        return Value(
            text: text,
            origin: assignments[last].origin,
            undefined: expansion.undefined.sorted(),
        )
    }
}

extension BuildSettings {
    /// Expands the references in a text.
    ///
    /// - Throws: ``SettingsFlaw``, as ``value(of:)``.
    func expanding(
        _ text: String,
        as name: String,
        origin: String,
        within work: inout SettingWork,
    ) throws(SettingsFlaw) -> Value? {
        try work.spend(assignments.count, at: origin)
        let assignment = SettingAssignment(name: name, value: text, origin: origin)
        return try BuildSettings(layers: [assignments, [assignment]], context: context)
            .value(of: name, within: &work)
    }
}
