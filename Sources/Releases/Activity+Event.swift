extension Activity {
    /// The kinds of activity; each case has its text and its colour below.
    package enum Event: String, Codable, Sendable, CaseIterable {
        case published, replaced, signedAgain, withdrawn, restored, promoted, pruned, notesChanged
        case filePruned, channelEnded
        case jobFailed, jobCancelled, jobRetried
        case deviceAdded, deviceRemoved, deviceRenamed, deviceAssigned, devicesImported
        case profileAdded, appAdded, appChanged, settingsChanged
        case tokenCreated, tokenRevoked
        case signedIn, signedOut, signInSet, signInRemoved, signInLinkMade
        case mirrorAdded, mirrorChanged, mirrorRemoved, tagRefused, buildEnded
        case runnerAdded, runnerCodeMade, runnerRegistered, runnerChanged
        case runnerPaused, runnerResumed, runnerRemoved
        case webhookAdded, webhookRemoved, webhookPaused, webhookResumed
        case webhookRetried, webhookTested
        case syncAsked, buildAsked, buildCancelled
        case signingAsked, accountCompared, certificateAsked
        case teamAdded, teamChanged, teamRemoved, accountAgreed
        case deviceInvited, deviceEnrolled, deviceApproved, approvalRefused, invitationRevoked
        case groupCreated, groupDeleted, groupJoined, groupLeft
        case deviceRegistered, accountDeviceChanged, accountDiffers, accountBlocked
        case profileMade, profileDeleted, certificateMade
        case certificateObtained, certificateFailed
        case releasePinned, releaseUnpinned, rulesApplied
        case feedbackReceived, feedbackDeleted
        case symbolsAdded, symbolsRemoved
    }

    /// The action as the rest of a sentence that starts with the actor's name, such as `published Browsey
    /// 2.4.0 (318)`.
    ///
    /// - Parameter app: the app's name; nil if unknown.
    /// - Returns: the text, without the actor and a period.
    package func deed(app: String?) -> String {
        switch event {
        case .published: "published \(build(app))" + (detail.map { " on \($0)" } ?? "")
        case .replaced: "replaced the file of \(build(app))"
        case .signedAgain: "signed \(build(app)) again" + (detail.map { " \($0)" } ?? "")
        case .jobFailed: "could not \(subject)" + because
        case .jobCancelled: "cancelled the job to \(subject)"
        case .jobRetried: "retried the job to \(subject)"
        case .withdrawn: "withdrew \(build(app))" + because
        case .restored: "restored \(build(app))"
        case .promoted: "promoted \(build(app)) to \(detail ?? "a channel")"
        case .pruned: "removed \(build(app))"
        case .filePruned: "removed \(detail ?? "a file") of \(build(app))"
        case .channelEnded:
            "ended the channel \(subject)" + (app.map { " of \($0)" } ?? "") + because
        case .notesChanged: "edited the notes of \(build(app))"
        case .deviceAdded: "added the device \(subject)"
        case .deviceRemoved: "disabled \(subject)"
        case .deviceRenamed:
            "renamed a device to \(subject)" + (detail.map { " (\($0))" } ?? "")
        case .deviceAssigned: "assigned \(subject)" + (detail.map { " to \($0)" } ?? " to a team")
        case .devicesImported: "imported \(subject)"
        case .profileAdded: "added the profile \(subject)"
        case .appAdded: "added the app \(app ?? subject)" + (detail.map { ", \($0)" } ?? "")
        case .appChanged: "changed \(app ?? subject)" + (detail.map { ": \($0)" } ?? "")
        case .settingsChanged: "changed the settings: \(subject)"
        case .tokenCreated: "created the token \(subject)" + (detail.map { " (\($0))" } ?? "")
        case .tokenRevoked: "revoked the token \(subject)"
        case .signedIn: "signed in" + (detail.map { " (\($0))" } ?? "")
        case .signedOut: "signed \(subject == actor ? "out" : "\(subject) out")" + because
        case .signInSet: "set up sign-in with \(subject)" + (detail.map { " (\($0))" } ?? "")
        case .signInRemoved: "removed sign-in with \(subject)"
        case .signInLinkMade: "created a link to sign in as \(subject)"
        case .webhookAdded: "added a webhook at \(subject)"
        case .webhookRemoved: "removed the webhook at \(subject)"
        case .webhookPaused: "paused the webhook at \(subject)"
        case .webhookResumed: "resumed the webhook at \(subject)"
        case .webhookRetried: "sent the queued messages of the webhook at \(subject)"
        case .webhookTested: "tested the webhook at \(subject)"
        case .syncAsked: "asked to sync the mirror \(subject)"
        case .buildAsked: "asked to build \(subject)" + because
        case .buildCancelled: "cancelled a build of \(subject)" + because
        case .signingAsked: "asked to sign \(build(app)) again"
        case .accountCompared: "compared the developer account of \(subject)"
        case .certificateAsked: "requested a certificate for \(subject)"
        case .mirrorAdded: "added the mirror \(subject)" + (detail.map { " of \($0)" } ?? "")
        case .mirrorChanged: "changed the mirror \(subject)" + because
        case .mirrorRemoved: "removed the mirror \(subject)"
        case .tagRefused: "skipped a tag of \(subject)" + because
        case .buildEnded: "finished the build of \(subject)" + because
        case .runnerAdded: "added the runner \(subject)" + (detail.map { " for \($0)" } ?? "")
        case .runnerCodeMade: "created a registration code for the runner \(subject)"
        case .runnerRegistered: "registered" + (detail.map { ": \($0)" } ?? "")
        case .runnerChanged: "changed the runner \(subject)" + because
        case .runnerPaused: "paused the runner \(subject)"
        case .runnerResumed: "resumed the runner \(subject)"
        case .runnerRemoved: "removed the runner \(subject)"
        case .teamAdded: "added the team \(subject)" + (detail.map { " (\($0))" } ?? "")
        case .teamChanged: "changed the team \(subject)" + because
        case .teamRemoved:
            "removed the team \(subject)" + (detail.map { " (\($0))" } ?? "")
                + " with its private key"
        case .accountAgreed:
            "allowed the server to make changes in the developer account of \(subject)"
        case .deviceInvited: "invited \(subject)"
        case .deviceEnrolled: "enrolled \(subject)"
        case .deviceApproved: "approved \(subject)" + (detail.map { " \($0)" } ?? "")
        case .approvalRefused: "did not approve \(subject)" + because
        case .invitationRevoked: "revoked the invitation for \(subject)"
        case .groupCreated: "created the group \(subject)"
        case .groupDeleted: "deleted the group \(subject)"
        case .groupJoined:
            isOfItself
                ? "joined \(detail ?? "a group")" : "added \(subject) to \(detail ?? "a group")"
        case .groupLeft:
            isOfItself
                ? "left \(detail ?? "a group")" : "removed \(subject) from \(detail ?? "a group")"
        case .deviceRegistered: "registered \(subject) with Apple"
        case .accountDeviceChanged: "changed \(subject) at Apple" + because
        case .accountDiffers: "noticed in the developer account of \(subject)" + because
        case .accountBlocked: "needs an admin for the developer account of \(subject)" + because
        case .profileMade:
            "created the profile \(subject) at Apple" + (detail.map { " \($0)" } ?? "")
        case .profileDeleted: "deleted the former profile \(subject) at Apple"
        case .certificateMade: "created the certificate \(subject) at Apple"
        case .certificateObtained:
            "got a certificate for \(subject)" + (detail.map { " from \($0)" } ?? "")
        case .certificateFailed: "could not get a certificate for \(subject)" + because
        case .releasePinned: "pinned \(build(app))" + because
        case .releaseUnpinned: "unpinned \(build(app))"
        case .rulesApplied:
            "removed \(subject)" + (app.map { " of \($0)" } ?? "") + " by its rules" + because
        case .feedbackReceived: "sent feedback about \(build(app))"
        case .feedbackDeleted: "deleted \(subject)" + (app.map { " about \($0)" } ?? "")
        case .symbolsAdded: "added \(detail ?? "symbols") to \(build(app))"
        case .symbolsRemoved: "removed \(detail ?? "symbols") from \(build(app))"
        }
    }

    /// The colour of the event on pages: `good`, `bad` or `accent`.
    package var tone: String {
        switch event {
        case .published, .signedAgain, .restored, .deviceApproved, .deviceEnrolled,
            .deviceRegistered, .groupJoined, .profileMade, .certificateMade, .runnerRegistered,
            .certificateObtained, .releasePinned:
            "good"
        case .withdrawn, .deviceRemoved, .tokenRevoked, .signInRemoved, .invitationRevoked, .pruned,
            .filePruned,
            .mirrorRemoved, .runnerRemoved, .tagRefused, .webhookRemoved, .teamRemoved, .jobFailed,
            .approvalRefused, .groupDeleted, .groupLeft,
            .accountBlocked, .certificateFailed, .rulesApplied, .feedbackDeleted,
            .symbolsRemoved:
            "bad"
        case .replaced, .promoted, .channelEnded, .notesChanged, .deviceAdded, .deviceRenamed,
            .devicesImported,
            .deviceAssigned,
            .profileAdded, .appAdded, .appChanged, .settingsChanged, .tokenCreated, .deviceInvited,
            .mirrorAdded, .mirrorChanged, .groupCreated,
            .runnerAdded, .runnerCodeMade, .runnerChanged, .runnerPaused, .runnerResumed,
            .teamAdded, .teamChanged, .accountAgreed, .buildEnded, .webhookAdded, .webhookPaused,
            .webhookResumed, .webhookRetried, .webhookTested, .syncAsked, .buildAsked,
            .buildCancelled,
            .signingAsked, .accountCompared, .certificateAsked,
            .signedIn, .signedOut, .signInSet, .signInLinkMade,
            .jobCancelled, .jobRetried, .accountDeviceChanged, .accountDiffers, .profileDeleted,
            .releaseUnpinned, .feedbackReceived, .symbolsAdded:
            "accent"
        }
    }

    private func build(_ app: String?) -> String {
        (app.map { $0 + " " } ?? "")
            + (ReleaseIdentifier(subject)?.words ?? subject)
    }

    /// Whether a device acted on itself.
    private var isOfItself: Bool { actor.utf8.elementsEqual(subject.utf8) }

    private var because: String {
        guard let detail, !detail.isEmpty else { return "" }
        return ": \(detail)"
    }
}

extension ReleaseIdentifier {
    /// The usual form of a version and its build: `1.2.0 (34)`.
    package var words: String {
        let parts = rawValue.split(separator: "-", maxSplits: 1)
        return parts.count == 2 ? "\(parts[0]) (\(parts[1]))" : rawValue
    }
}
