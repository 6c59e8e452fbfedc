/// The settings of one target in one configuration.
package struct BuildSettings: Sendable {
    private let assignments: [SettingAssignment]
    /// Where each setting is assigned, in order.
    private let places: [String: [Int]]
    private let context: SettingContext

    /// - Parameters:
    ///   - layers: the project's file, the project, the target's file, the target: a later one
    ///     outranks the earlier ones.
    ///   - context: what is built.
    package init(layers: [[SettingAssignment]], context: SettingContext) {
        let assignments = layers.joined().filter { $0.holds(in: context) }
        self.assignments = assignments
        places = Dictionary(grouping: assignments.indices) { assignments[$0].name }
        self.context = context
    }

    /// What a setting is, with everything that it refers to.
    package struct Value: Hashable, Sendable {
        package let text: String
        /// Where the value was given last.
        package let origin: String
        /// The settings that it refers to and that no file defines; the build's environment may.
        package let undefined: [String]
    }

    /// The value of a setting; nil when no file gives one.
    ///
    /// - Throws: ``SettingsFlaw`` for one that refers to itself, or grows without bound.
    package func value(of name: String) throws(SettingsFlaw) -> Value? {
        var work = SettingWork()
        return try value(of: name, within: &work)
    }

    /// The same, as a part of the work that a project may cost.
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
    /// What a text with references becomes.
    ///
    /// - Throws: as ``value(of:)``.
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
