import APIDocuments
import Administration
import HTTPTypes
import Problems

extension APIRoute {
    /// The route that an action declares, which reads it, performs it, and answers with its document.
    init<Performed: StoreAction>(_ action: Performed.Type) {
        self.init(of: Performed.route) { call in
            let action = try call.action(Performed.self)
            return try await call.json(status: Performed.route.status) {
                try $0.perform(action)
            }
        }
    }

    init<Performed: WaitingAction>(_ action: Performed.Type) {
        self.init(of: Performed.route) { call in
            let action = try call.action(Performed.self)
            return try APIAnswer.json(
                await call.administration.perform(action),
                status: Performed.route.status,
            )
        }
    }

    private init(
        of route: ActionRoute,
        answer: @escaping @Sendable (APICall) async throws -> APIAnswer,
    ) {
        self.init(
            route.requestMethod,
            route.path,
            route.right,
            query: Set(route.query.map(\.name)),
            bodyLimit: route.bodyLimit,
            answer: answer,
        )
    }
}

extension APICall {
    /// The action that the request asks for.
    ///
    /// - Throws: ``Problem`` for a parameter or a body that the action does not take.
    func action<Asked: Action>(_ type: Asked.Type) throws -> Asked {
        var values = parameters.mapValues { ActionValue.text($0) }
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
            keys: Asked.Content.keys,
            innerKeys: Asked.Content.innerKeys,
            from: body ?? Array("{}".utf8),
        )
        return try Asked(values, content)
    }
}

extension ActionRoute {
    fileprivate var status: HTTPResponse.Status { creates ? .created : .ok }

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
