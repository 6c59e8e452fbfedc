import APIDocuments
import Administration
import HTTPTypes
import Problems
import Releases
import SiteServices

/// Makes the route that an action declares.
struct APIRouteMaker: ActionVisitor {
    /// A route that decodes the action, performs it, and answers with its document.
    func stored<Performed: StoreAction>(_ action: Performed.Type) -> APIRoute {
        APIRoute(of: action) { call in
            let action = try call.action(Performed.self)
            return try await call.answer { try $0.answer(action.perform(in: $0), to: action) }
        }
    }

    /// A route that also returns the entity tag of what is shown; a change is made only if it matches
    /// `If-Match`.
    func versioned<Performed: VersionedAction>(_ action: Performed.Type) -> APIRoute {
        APIRoute(of: action) { call in
            let action = try call.action(Performed.self)
            let fields = call.fields
            return try await call.answer { local in
                let done = try action.perform(in: local) {
                    try DocumentTag(of: $0).matches(fields)
                }
                return try local.answer(done.answer, to: action)
                    .tagged(DocumentTag(of: done.record))
            }
        }
    }

    /// A route that waits for another server.
    func waiting<Performed: WaitingAction>(_ action: Performed.Type) -> APIRoute {
        APIRoute(of: action) { call in
            let action = try call.action(Performed.self)
            let local = call.administration
            return try await local.answer(action.perform(in: local), to: action)
        }
    }
}

extension APIRoute {
    fileprivate init<Performed: Action>(
        of action: Performed.Type,
        answer: @escaping @Sendable (APICall) async throws -> APIAnswer,
    ) {
        let route = Performed.route
        self.init(
            route.requestMethod,
            route.path,
            route.right,
            query: Set(route.query.map(\.name)),
            bodyLimit: route.bodyLimit,
            action: action,
            answer: answer,
        )
    }
}

extension LocalAdministration {
    /// The response with the document of a performed action, and the URL of what it created.
    fileprivate func answer<Performed: Action>(
        _ document: Performed.Answer,
        to action: Performed,
    ) throws -> APIAnswer {
        let answer = try APIAnswer.json(document, status: Performed.route.status)
        guard let links, let path = Performed.location(of: document) else { return answer }
        return answer.at(links.api(path))
    }
}

extension APICall {
    /// The requested action.
    ///
    /// - Throws: ``Problem`` for a parameter or body that the action does not accept.
    func action<Asked: Action>(_ type: Asked.Type) throws -> Asked {
        var values = parameters.mapValues { ActionValue.text($0) }
        for name in Asked.route.numbers { values[name] = .number(try number(ofPath: name)) }
        for parameter in Asked.route.query {
            let name = parameter.name
            switch parameter.kind {
            case .text: values[name] = query[name].map { .text($0) }
            case .flag: values[name] = .flag(try flag(name))
            case .number(let bounds, let usual):
                values[name] = .number(try number(name, in: bounds, else: usual))
            }
        }
        let content = try RequestReading.value(
            Asked.Content.self,
            from: body ?? Array("{}".utf8),
        )
        if let flaw = content.flaw {
            throw Problem.malformedBody(flaw.message, fix: flaw.fix)
        }
        return try Asked(values, content)
    }
}

extension ActionRoute {
    fileprivate var status: HTTPResponse.Status { HTTPResponse.Status(code: success.rawValue) }

    fileprivate var requestMethod: HTTPRequest.Method {
        switch method {
        case .get: .get
        case .post: .post
        case .put: .put
        case .patch: .patch
        case .delete: .delete
        }
    }
}

extension Links {
    fileprivate func api(_ path: String) -> String { absolute(APIRoute.root + path) }
}
