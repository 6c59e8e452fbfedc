extension Finding {
    /// What a tester sees after tapping Install; nil for a finding that blocks on no phone.
    package var phone: PhoneAnswer? {
        guard let rule = Rule.named(id) else { return nil }
        // A blocking rule may also report a finding as a warning or a note.
        let isAsDeclared = severity == rule.severity || severity == .blocks
        return isAsDeclared || blocksFrom != nil ? rule.phone : nil
    }
}
