extension Finding {
    /// What the phone shows after the tap on Install; nil for what no phone minds.
    package var phone: PhoneAnswer? {
        guard let rule = Rule.named(id) else { return nil }
        // A rule that blocks may also find what only deserves a look.
        let isAsDeclared = severity == rule.severity || severity == .blocks
        return isAsDeclared || blocksFrom != nil ? rule.phone : nil
    }
}
