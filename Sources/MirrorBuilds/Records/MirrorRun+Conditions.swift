import Mirrors

extension [Pipeline.Condition] {
    /// Whether one of the conditions holds for the build; a manual build of a tag meets both.
    func hold(for run: MirrorRun) -> Bool {
        contains { condition in
            switch condition {
            case .always: true
            case .tag: run.tag != nil
            case .manual: run.cause == .manual
            }
        }
    }
}
