extension Finding {
    /// What a tester who taps Install sees of it; nil where no phone refuses.
    package var phone: PhoneAnswer? {
        guard let rule = Rule.named(id) else { return nil }
        // A rule that blocks may also find what only deserves a look.
        let isAsDeclared = severity == rule.severity || severity == .blocks
        return isAsDeclared || blocksFrom != nil ? rule.phone : nil
    }
}
