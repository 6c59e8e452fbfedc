import Mirrors

extension [Pipeline.Condition] {
    /// Whether one of them holds for a build of this cause; a manual build of a tag is both.
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
