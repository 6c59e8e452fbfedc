import Sandboxing
import Testing

@Suite(.serialized) struct ControlGroupTests {
    @Test func `a log says what is bounded where there are no control groups`() {
        #expect(ControlGroups.sentence(for: nil).hasPrefix("limits: per process; "))
    }

    @Test func `preparing twice finds the same place`() {
        let first = ControlGroups.prepare().map { ControlGroups.sentence(for: $0) }
        let second = ControlGroups.prepare().map { ControlGroups.sentence(for: $0) }
        #expect(first == second)
    }
}
