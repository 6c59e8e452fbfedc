import Foundation
import Pages
import Releases
import Testing

/// Pages that show how far a device has got.
extension ExamplePages {
    func steps(
        _ step: DeviceSteps.Step,
        _ reason: String? = nil,
        isStopped: Bool = false,
        by work: DeviceSteps.Work = DeviceSteps.Work(isAtApple: true, isOnBuild: true),
        isApproved: Bool = true,
    ) -> DeviceSteps {
        let usual =
            switch step {
            case .approval: "waiting"
            case .registration: "registering"
            case .build: work.isOnBuild ? "signing" : "hand"
            case .ready: "ready"
            }
        return DeviceSteps(
            DeviceSteps.Present(
                step,
                word(chrome.words.text("progress.\(reason ?? usual)")),
                since: step == .ready ? nil : Self.now - 600,
                isStopped: isStopped,
            ),
            by: work,
            isApproved: isApproved,
            in: chrome.words,
        )
    }

    /// Every page with steps, by file name.
    func steppedPages() throws -> [String: String] {
        let missing = try device(Self.unlisted, joined: 1)
        let waiting = try device(Self.unlisted, state: .enrolled, joined: 1)
        let stopped = steps(
            .registration,
            "agreement",
            isStopped: true,
        )
        let halfway = DeviceSteps.Work(isAtApple: true, isOnBuild: false)
        return [
            "steps-approval.html": try html(install(for: waiting, steps: steps(.approval))),
            "steps-apple.html": try html(install(for: missing, steps: steps(.registration))),
            "steps-stopped.html": try html(install(for: missing, steps: stopped)),
            "steps-build.html": try html(install(for: missing, steps: steps(.build))),
            "steps-by-hand.html": try html(
                install(for: missing, steps: steps(.build, by: .byHand))
            ),
            "steps-halfway.html": try html(
                install(for: missing, steps: steps(.build, by: halfway))
            ),
            "members-steps.html": try html(members(waiting, way: steps(.approval))),
            "enrolled-steps.html": try html(enrolled(.waiting, way: steps(.approval))),
            "enrolled-apple.html": try html(enrolled(.approved, way: steps(.registration))),
            "enrolled-stopped.html": try html(enrolled(.approved, way: stopped)),
            "enrolled-early.html": try html(
                enrolled(.waiting, way: steps(.ready, isApproved: false))
            ),
            "enrolled-ready.html": try html(enrolled(.approved, way: steps(.ready))),
            "enrolled-by-hand.html": try html(
                enrolled(.waiting, way: steps(.approval, by: .byHand))
            ),
        ]
    }
}
