import APIDocuments
import Access
import Administration
import GitRepositories
import HTTPTypes
import MirrorBuilds
import Mirrors

extension APIRoutes {
    private static let mirror = "/mirrors/{mirror}"

    /// Who may say what is built has commands run on the server: all of it is for admins.
    static let mirrors: [APIRoute] = [
        APIRoute(.get, "/mirrors", .everywhere(.admin)) { call in
            try await call.json { try $0.mirrors() }
        },
        APIRoute(.post, "/mirrors", .everywhere(.admin), bodyLimit: 512 << 10) { call in
            var new = try call.request(NewMirror.self)
            // What nobody said is no answer to a question that is asked of all who are elsewhere.
            new.allowPrivate = new.allowPrivate ?? false
            let (site, request) = (call.site, new)
            return try await call.answer { local in
                let document = try local.addMirror(request)
                return try APIAnswer.json(document, status: .created)
                    .at(site.links.api("/mirrors/\(document.mirror.name)"))
            }
        },
        APIRoute(.get, mirror, .everywhere(.admin)) { call in
            let name = try call.parameter("mirror")
            return try await call.json { try $0.mirror(name) }
        },
        APIRoute(.patch, mirror, .everywhere(.admin), bodyLimit: 512 << 10) { call in
            let name = try call.parameter("mirror")
            var change = try call.request(MirrorChangeRequest.self)
            change.allowPrivate = change.allowPrivate ?? false
            let request = change
            return try await call.json { try $0.changeMirror(name, request) }
        },
        APIRoute(.delete, mirror, .everywhere(.admin)) { call in
            let name = try call.parameter("mirror")
            return try await call.json { try $0.removeMirror(name) }
        },
        APIRoute(.post, mirror + "/sync", .everywhere(.admin)) { call in
            _ = try call.request(EmptyRequest.self)
            let name = try call.parameter("mirror")
            return try await call.json(status: .accepted) { try $0.lookAtMirror(name) }
        },
    ]
}

extension MirrorChange {
    /// All but `allowFile`: nobody reaches into the server's folders from elsewhere.
    fileprivate static var keys: Set<String> {
        Set(CodingKeys.allCases.filter { $0 != .allowFile }.map(\.rawValue))
    }

    fileprivate static let innerKeys = [
        "secrets": Set(MirrorSecretsChange.CodingKeys.allCases.map(\.rawValue))
    ]
}

extension NewMirror: APIRequest {
    static var keys: Set<String> { MirrorChange.keys.union(["name", "allowPrivate"]) }
    static var innerKeys: [String: Set<String>] { MirrorChange.innerKeys }
}

extension MirrorChangeRequest: APIRequest {
    static var keys: Set<String> { MirrorChange.keys.union(["allowPrivate"]) }
    static var innerKeys: [String: Set<String>] { MirrorChange.innerKeys }
}
