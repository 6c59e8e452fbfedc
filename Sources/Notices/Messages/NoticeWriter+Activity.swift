import Bundles
import Bytes
import Foundation
import Identifiers
import Releases

extension NoticeWriter {
    /// Returns the notice about one entry of the activity.
    ///
    /// - Parameters:
    ///   - activity: the entry.
    ///   - release: the release that it is about; nil if it is not about one, or the release no longer
    ///     exists.
    ///   - feedback: the feedback that it is about; nil if it is not about any, or the feedback was
    ///     deleted.
    /// - Returns: nil for an event that concerns only admins.
    func notice(of activity: Activity, release: Release?, feedback: Feedback? = nil) -> Notice? {
        var notice = words(about: activity, release, feedback)
        guard let event = notice?.event, event.isAboutBuilds,
            let app = activity.app.flatMap({ BundleIdentifier($0) })
        else { return notice }
        let published = event == .releasePublished ? activity.detail.flatMap(ChannelName.init) : nil
        let channels =
            published.map { [$0] }
            ?? release.map { [$0.channel] + ($0.otherChannels ?? []) } ?? []
        notice?.channels = channels
        notice?.groups = channels.flatMap { apps[app]?.access(to: $0).groups ?? [] }
        return notice
    }

    private func words(
        about activity: Activity,
        _ release: Release?,
        _ feedback: Feedback?,
    ) -> Notice? {
        switch activity.event {
        case .published, .replaced: published(activity, release)
        case .withdrawn: withdrawn(activity, release)
        case .deviceEnrolled: enrolled(activity)
        case .accountBlocked: blocked(activity)
        case .certificateFailed: withoutCertificate(activity)
        case .buildEnded: activity.failedBuild.map(failed)
        case .rulesApplied: removed(activity)
        case .feedbackReceived: feedback.flatMap { said($0, activity, release) }
        default: nil
        }
    }

    private func published(_ activity: Activity, _ release: Release?) -> Notice? {
        guard let app = activity.app.flatMap({ BundleIdentifier($0) }) else { return nil }
        let build = name(of: activity, release)
        let channel = activity.detail.map(Self.plain)
        let actor = Self.plain(activity.actor)
        let verb = activity.event == .replaced ? "replaced" : "published"
        let source = release.flatMap { Notice.Build(of: $0, channel: channel).source }
        var notice = notice(
            .releasePublished,
            "\(build) was published" + (channel.map { " on \($0)" } ?? ""),
            "\(actor) \(verb) \(build)" + (channel.map { " on the channel \($0)." } ?? ".")
                + (source.map { "\n" + $0 } ?? ""),
            about: [app],
        )
        notice.release = Self.build(activity, release, channel: channel)
        notice.link = apps[app].flatMap { record in
            links?.app(record.slug, channel: channel.flatMap { ChannelName($0) })
        }
        return notice
    }

    private func withdrawn(_ activity: Activity, _ release: Release?) -> Notice? {
        guard let app = activity.app.flatMap({ BundleIdentifier($0) }) else { return nil }
        let build = name(of: activity, release)
        let why = activity.detail.map(Self.plain).flatMap { $0.isEmpty ? nil : $0 }
        var notice = notice(
            .releaseWithdrawn,
            "\(build) was withdrawn",
            "\(Self.plain(activity.actor)) withdrew \(build)" + (why.map { ": \($0)" } ?? ".")
                + (why.map { $0.hasSuffix(".") ? "" : "." } ?? "")
                + " It can no longer be installed; installed copies stay.",
            about: [app],
        )
        notice.release = Self.build(activity, release, channel: nil)
        notice.link = apps[app].flatMap { links?.history($0.slug) }
        return notice
    }

    private func said(
        _ feedback: Feedback,
        _ activity: Activity,
        _ release: Release?,
    ) -> Notice? {
        guard let app = activity.app.flatMap({ BundleIdentifier($0) }) else { return nil }
        let build = name(of: activity, release)
        let lines = feedback.text.split(separator: "\n").prefix(12).map {
            PrintableText(escaping: $0, limit: 300).text
        }
        let device = feedback.sender.words ?? "a device that the server does not know"
        let sender = Self.plain(
            feedback.sender.person.map { "\($0) with \(device)" }
                ?? feedback.sender.words ?? "A tester with an unknown device"
        )
        var notice = notice(
            .feedbackReceived,
            "Feedback about \(build)",
            "\(sender), on \(build):\n" + lines.joined(separator: "\n"),
            about: [app],
        )
        notice.release = Self.build(activity, release, channel: nil)
        notice.feedback = Notice.Said(
            id: feedback.identifier,
            text: feedback.text,
            release: feedback.release,
            person: feedback.sender.person.map(DeviceUDID.masked),
            deviceName: feedback.sender.name.map(DeviceUDID.masked),
            model: feedback.sender.model,
            os: feedback.sender.os,
        )
        notice.link = apps[app].flatMap { record in
            links?.admin { $0.pages(of: record.slug).feedback }
        }
        return notice
    }

    private func removed(_ activity: Activity) -> Notice? {
        guard let app = activity.app.flatMap({ BundleIdentifier($0) }),
            let removed = activity.removed
        else { return nil }
        let what = "\(Wording.count(removed.count, "release")) of \(title(of: app))"
        var notice = notice(
            .releasesRemoved,
            "\(what) \(removed.count == 1 ? "was" : "were") removed",
            "\(Self.plain(activity.actor)) removed \(what) by the app’s rules, which frees "
                + "\(Wording.size(removed.freed)): "
                + removed.releases.prefix(10).map { Self.plain($0.rawValue) }
                .joined(separator: ", ")
                + (removed.count > 10 ? " and more." : "."),
            about: [app],
        )
        notice.removed = removed
        notice.link = apps[app].flatMap { record in
            links?.admin { $0.app(record.slug) }
        }
        return notice
    }

    private func enrolled(_ activity: Activity) -> Notice {
        let device = DeviceUDID.masked(in: Self.plain(activity.subject))
        var notice = notice(
            .deviceEnrolled,
            "\(device) is waiting for approval",
            "The device \(device) has enrolled. Approve it, add it to the developer account and "
                + "publish a build that includes it.",
        )
        notice.device = device
        notice.link = links?.admin(\.devices)
        return notice
    }

    private func blocked(_ activity: Activity) -> Notice {
        let team = Self.plain(activity.subject)
        let why = PrintableText(escaping: activity.detail ?? "", limit: 600).text
        var notice = notice(
            .accountBlocked,
            "The developer account of \(team) needs an admin",
            why.prefix(1).uppercased() + why.dropFirst() + (why.hasSuffix(".") ? "" : "."),
        )
        notice.link = links?.admin(\.dashboard)
        return notice
    }

    private func withoutCertificate(_ activity: Activity) -> Notice {
        let why = PrintableText(escaping: activity.detail ?? "", limit: 600).text
        var notice = notice(
            .certificateFailed,
            "The server cannot get a certificate for \(Self.plain(activity.subject))",
            why.prefix(1).uppercased() + why.dropFirst() + (why.hasSuffix(".") ? "" : "."),
        )
        notice.link = links?.admin(\.dashboard)
        return notice
    }

    /// The message names the first issues; a webhook's payload contains them as they are.
    private func failed(_ build: FailedBuild) -> Notice {
        let subject = Self.plain(build.subject)
        let reason = PrintableText(escaping: build.reason, limit: 300).text
        let issues = build.issues.prefix(3)
            .map { "\n- " + PrintableText(escaping: $0.sentence, limit: 300).text }.joined()
        let rest = build.issues.count > 3 ? "\n- and more, on the build's page" : ""
        var notice = notice(
            .buildFailed,
            "Build \(build.number) of \(build.mirror), \(subject), failed",
            "The build failed: \(reason)" + (reason.hasSuffix(".") ? "" : ".") + issues + rest,
        )
        notice.failedBuild = build
        notice.link = links?.admin { $0.build(build.number, of: build.mirror) }
        return notice
    }

    /// The app and the build: `Forks 1.2 (34)`.
    private func name(of activity: Activity, _ release: Release?) -> String {
        let app = activity.app.flatMap { BundleIdentifier($0) }.map(title) ?? ""
        guard let release else { return "\(app) \(Self.plain(activity.subject))" }
        return "\(app) \(Self.plain(release.version)) (\(Self.plain(release.build)))"
    }

    private static func build(
        _ activity: Activity,
        _ release: Release?,
        channel: String?,
    ) -> Notice.Build? {
        release.map { Notice.Build(of: $0, channel: channel) }
    }
}
