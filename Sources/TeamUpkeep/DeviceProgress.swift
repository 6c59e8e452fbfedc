package import Essentials
import Identifiers
package import Jobs
package import Releases

/// How far a tester's device has come on its way from enrolment to a build that installs on it.
package struct DeviceProgress: Sendable, Equatable {
    package enum Stage: String, Sendable, CaseIterable {
        case waitingForApproval, beingAddedAtApple, beingPrepared, ready
        /// It does not go on by itself.
        case stopped
    }

    /// What an app offers to the device.
    package enum Build: Sendable, Equatable {
        /// It lists the device, or needs no list.
        case installs
        /// It does not list the device, and is signed again by itself.
        case isPrepared
        /// It does not list the device, and somebody has to sign or publish another one.
        case lacksDevice
        /// Nothing is offered.
        case none
    }

    package let stage: Stage
    package let since: Date
    /// What the tester is told: whole sentences, without a word that names the device or the team.
    package let sentence: String

    /// - Parameters:
    ///   - device: whose way it is.
    ///   - team: into whose developer account it belongs; nil for none.
    ///   - jobs: those that are open.
    ///   - build: what the app offers to it.
    package init(of device: Device, in team: Team?, jobs: [Job], build: Build) {
        since = device.stateSince
        let account = team?.account
        let status = account?.snapshot?[device.udid]
        switch device.state {
        case .invited, .enrolled:
            stage = .waitingForApproval
            sentence = "The people who run this site have to approve this device."
            return
        case .disabled:
            stage = .stopped
            sentence = "The people who run this site have taken this device out of use."
            return
        case .approved, .registered: break
        }
        if build == .installs {
            stage = .ready
            sentence = "The build can be installed on this device."
            return
        }
        if status == .disabled {
            stage = .stopped
            sentence = "This device is disabled in Apple's list of devices."
            return
        }
        guard let account, account.isActive else {
            stage = device.state == .approved ? .beingAddedAtApple : .beingPrepared
            sentence =
                device.state == .approved
                ? "The people who run this site add this device to Apple's list themselves."
                : "The people who run this site have to provide a build for this device."
            return
        }
        let own = jobs.filter { $0.team == team?.identifier && !$0.state.isOver }
        let isRefused = own.contains {
            $0.registration?.refused?.contains(device.udid) ?? false
        }
        let trouble = account.trouble.flatMap { trouble in
            // What one device is in the way of concerns that one alone.
            AccountWork.deviceTroubles.contains(trouble.id) && !isRefused ? nil : trouble
        }
        if isRefused || trouble?.needsPerson == true {
            stage = .stopped
            sentence =
                trouble?.testerSentence
                ?? "Something has to be fixed by the people who run this site."
            return
        }
        if device.state == .approved {
            stage = .beingAddedAtApple
            sentence =
                Self.adding(status) ?? trouble?.testerSentence
                ?? "This device is being added to Apple's list of devices."
            return
        }
        stage = .beingPrepared
        switch build {
        case .none: sentence = "There is no build yet; it will appear here."
        case .lacksDevice:
            sentence = "The people who run this site have to provide a build for this device."
        case .isPrepared, .installs:
            let isLeftOut = own.contains { !($0.renewal?.omitted ?? []).isEmpty }
            sentence =
                trouble?.testerSentence
                ?? (isLeftOut
                    ? "Apple has not finished with this device; the build follows by itself."
                    : "The build is being prepared for this device.")
        }
    }

    private static func adding(_ status: AccountSnapshot.DeviceStatus?) -> String? {
        switch status {
        case .processing, .other:
            "Apple is still processing this device, which can take hours. It continues by itself."
        case .ineligible:
            "Apple lets new devices wait, for up to 72 hours. It continues by itself."
        case .enabled, .disabled, nil: nil
        }
    }
}
