import APIDocuments
import Jobs
import Pages

extension JobEntry {
    /// The steps of a job of this kind, with the state of each.
    var stepLines: [JobPage.Step] {
        let steps = kind.steps
        let place = steps.firstIndex { $0.word == step }
        return steps.enumerated().map { index, step in
            let (tone, words) =
                if state == .done || index < place ?? 0 {
                    ("good", "done")
                } else if index == place {
                    present
                } else {
                    ("", "not yet")
                }
            return JobPage.Step(
                title: step.title,
                tone: tone,
                state: words,
                isPresent: index == place && state != .done,
            )
        }
    }

    /// The state of the current or last step.
    private var present: (tone: String, words: String) {
        switch state {
        case .waiting: attempts > 0 || reason != nil ? ("warn", "waiting") : ("accent", "next")
        case .running: ("accent", "running")
        case .failed: ("bad", "failed")
        case .cancelled: ("", "cancelled")
        case .done: ("good", "done")
        }
    }
}

extension JobEntry.Kind {
    /// Its steps in order.
    fileprivate var steps: [(word: String, title: String)] {
        switch self {
        case .sign: [SigningStep.sign, .record].map { ($0.rawValue, $0.title) }
        case .registerDevice:
            [RegistrationStep.register, .wait].map { ($0.rawValue, $0.title) }
        case .renewProfile:
            [RenewalStep.plan, .make, .adopt, .sign, .tidy].map { ($0.rawValue, $0.title) }
        case .renewCertificate:
            [CertificateStep.request, .adopt].map { ($0.rawValue, $0.title) }
        }
    }
}

extension SigningStep {
    fileprivate var title: String {
        switch self {
        case .sign: "Sign and inspect the build"
        case .record: "Offer what was signed"
        }
    }
}

extension RegistrationStep {
    fileprivate var title: String {
        switch self {
        case .register: "Register devices with Apple"
        case .wait: "Wait for Apple to process them"
        }
    }
}

extension RenewalStep {
    fileprivate var title: String {
        switch self {
        case .plan: "Compare with the developer account"
        case .make: "Create profiles at Apple"
        case .adopt: "Give the team the new profiles"
        case .sign: "Sign builds with them"
        case .tidy: "Delete superseded profiles at Apple"
        }
    }
}

extension CertificateStep {
    fileprivate var title: String {
        switch self {
        case .request: "Create a certificate at Apple"
        case .adopt: "Give the team the certificate and profiles that list it"
        }
    }
}
