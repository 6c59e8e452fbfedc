import APIDocuments
import Access
import Administration
import Inspection
import Foundation
import HTTPTypes
import Problems
import Publishing
import Releases
import Store

extension APIRoutes {
    private static let release = "/apps/{app}/releases/{release}"

    static let releases: [APIRoute] = [
        APIRoute(
            .get,
            "/apps/{app}/releases",
            .onApp(.read),
            query: ["limit", "after"],
        ) { call in
            let name = try call.parameter("app")
            let limit = try call.number("limit", in: 1...200, else: 20)
            let after = call.query["after"]
            return try await call.json { try page(of: name, after: after, limit, $0) }
        },
        APIRoute(.get, release, .onApp(.read)) { call in
            let (app, release) = try names(call)
            return try await call.answer { local in
                let record = try local.admin.release(
                    named: release,
                    of: local.admin.app(named: app),
                )
                return try APIAnswer.json(local.release(record.identifier.rawValue, of: app))
                    .tagged(DocumentTag(of: record))
            }
        },
        APIRoute(.patch, release, .onApp(.publish), bodyLimit: 512 << 10) { call in
            let (app, release) = try names(call)
            let notes = try call.request(NotesRequest.self).notes
            let fields = call.fields
            return try await call.answer { local in
                let record = try local.admin.app(named: app)
                let after = try local.admin.changeNotes(
                    of: local.admin.release(named: release, of: record).identifier,
                    of: record.bundleIdentifier,
                    to: notes,
                ) { try DocumentTag(of: $0).matches(fields) }
                return try APIAnswer.json(
                    ReleaseDocument(release: ReleaseEntry(after, in: record))
                )
                .tagged(DocumentTag(of: after))
            }
        },
        APIRoute(.get, release + "/report", .onApp(.read)) { call in
            let (app, release) = try names(call)
            let isAdmin = call.isAdmin
            return try await call.json { local in
                let found = try local.admin.release(
                    named: release,
                    of: local.admin.app(named: app),
                )
                return InspectionDocument(
                    try local.admin.store.report(of: found),
                    udids: isAdmin,
                )
            }
        },
        APIRoute(.get, release + "/devices", .onApp(.read)) { call in
            let (app, release) = try names(call)
            return try await call.json { try $0.verdicts(of: release, of: app) }
        },
        APIRoute(.get, release + "/provenance", .onApp(.read), query: ["digest"]) { call in
            let (app, release) = try names(call)
            let digests = try call.flag("digest")
            return try await call.json {
                try $0.provenance(of: release, of: app, digesting: digests)
            }
        },
        APIRoute(.post, release + "/withdraw", .onApp(.publish)) { call in
            let (app, release) = try names(call)
            let reason = try call.request(WithdrawalRequest.self).reason
            return try await call.json { try $0.withdraw(release, of: app, reason: reason) }
        },
        APIRoute(.post, release + "/restore", .onApp(.publish)) { call in
            let (app, release) = try names(call)
            _ = try call.request(EmptyRequest.self)
            return try await call.json { try $0.restore(release, of: app) }
        },
        APIRoute(.post, release + "/promote", .onApp(.publish)) { call in
            let (app, release) = try names(call)
            let channel = try call.request(PromotionRequest.self).channel
            return try await call.json { try $0.promote(release, of: app, to: channel) }
        },
    ]

    private static func names(_ call: APICall) throws(Refusal) -> (app: String, release: String) {
        (try call.parameter("app"), try call.parameter("release"))
    }

    /// The releases behind one, newest first; what was pruned meanwhile has no page behind it.
    private static func page(
        of name: String,
        after text: String?,
        _ limit: Int,
        _ local: LocalAdministration,
    ) throws -> ReleasePageDocument {
        let app = try local.admin.app(named: name)
        let identifiers = try local.admin.store.releaseIdentifiers(of: app.bundleIdentifier)
        var begin = 0
        if let text {
            guard let place = identifiers.firstIndex(where: { $0.rawValue == text }) else {
                throw Problem.badParameter(
                    "after",
                    fix: "give the last release of the previous page",
                )
            }
            begin = place + 1
        }
        let releases = try local.admin.store.releases(
            of: app.bundleIdentifier,
            offset: begin,
            count: limit,
        )
        let older = max(0, identifiers.count - begin - limit)
        return ReleasePageDocument(
            releases: releases.map { ReleaseEntry($0, in: app) },
            older: older,
            next: older > 0 ? releases.last?.identifier.rawValue : nil,
        )
    }
}
