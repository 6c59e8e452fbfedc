import APIDocuments
import Access
import Administration
import Bundles
import Foundation
import HTTPServing
import HTTPTypes
import Hummingbird
import Identifiers
import Logging
import Problems
import Releases
import SiteServices
import Store

/// Handles requests to the API: authenticates and authorises them, reads their input, and answers errors as
/// JSON.
struct APIResponder: Sendable {
    let services: APIServices

    private var site: Site { services.site }

    func answer(
        _ request: Request,
        _ context: RouteContext,
        by route: APIRoute,
    ) async throws -> Response {
        var principal: Principal?
        do {
            let signedIn = try await SignIn(site: site).bearer(request, context)
            principal = signedIn
            let call = try await call(request, context, route, signedIn)
            return try await route.answer(call).response()
        } catch AdministrationRefusal.unknownApp {
            return APIAnswer(refusing: Problem.unknownApp).response()
        } catch {
            return try response(to: error, askedBy: principal)
        }
    }

    /// - Throws: refusals and interrupted connections, which are handled in one place for all routes.
    private func response(
        to error: any Error,
        askedBy principal: Principal?,
    ) throws -> Response {
        guard !(error is Refusal), !BrokenOff.isCause(error) else { throw error }
        let answer = APIAnswer(refusing: Refusal.hidingPaths(of: error, from: principal))
        if answer.status.code >= 500 {
            site.logger.error("a request failed", metadata: ["reason": "\(error)"])
        }
        var response = answer.response()
        if [503, 507].contains(answer.status.code) { response.headers[.retryAfter] = "30" }
        return response
    }

    private func call(
        _ request: Request,
        _ context: RouteContext,
        _ route: APIRoute,
        _ principal: Principal,
    ) async throws -> APICall {
        let call = APICall(
            services: services,
            principal: principal,
            fields: request.headers,
            channel: context.channel,
            content: nil,
            parameters: try Self.parameters(of: route, context),
            query: try Self.query(of: request, route),
        )
        try await check(call, route.right)
        guard route.bodyLimit > 0 else {
            return call
        }
        return APICall(
            services: services,
            principal: principal,
            fields: request.headers,
            channel: context.channel,
            content: try await body(of: request, atMost: route.bodyLimit),
            parameters: call.parameters,
            query: call.query,
        )
    }

    private func check(_ call: APICall, _ right: APIRoute.Right) async throws {
        switch right {
        case .anyToken: return
        case .everywhere(let action):
            guard call.principal.may(action) else { throw Problem.notAllowed }
        case .onApp(let action):
            let name = try call.parameter("app")
            let admin = call.admin
            let app: BundleIdentifier
            do {
                app = try await site.work { try admin.app(named: name).bundleIdentifier }
            } catch let failure as StoreFailure where !call.principal.may(.read) {
                // The error names the app, which may not be the token's app.
                site.logger.error("a request failed", metadata: ["reason": "\(failure)"])
                throw Refusal.unavailable("\(failure)")
            }
            guard call.principal.may(.read, on: app) else { throw Problem.unknownApp }
            guard call.principal.may(action, on: app) else { throw Problem.notAllowed }
        }
    }

    private static func parameters(
        of route: APIRoute,
        _ context: RouteContext,
    ) throws(Refusal) -> [String: String] {
        var parameters: [String: String] = [:]
        for part in route.path.split(separator: "/") where part.hasPrefix("{") {
            let name = String(part.dropFirst().dropLast())
            parameters[name] = try context.text(name)
        }
        return parameters
    }

    /// - Throws: ``Problem/unknownParameter`` for an unknown or repeated parameter.
    private static func query(
        of request: Request,
        _ route: APIRoute,
    ) throws(Problem) -> [String: String] {
        var query: [String: String] = [:]
        for (name, value) in request.uri.queryParameters {
            let name = String(name)
            guard route.query.contains(name),
                query.updateValue(String(value), forKey: name) == nil
            else { throw .unknownParameter }
        }
        return query
    }

    /// Reads the body, which may be missing for an action without input.
    private func body(of request: Request, atMost limit: Int) async throws -> GatheredBody {
        let type = (request.headers[.contentType] ?? "").lowercased()
            .split(separator: ";").map { $0.trimmed }
        guard type.isEmpty || Self.isJSON(type) else { throw Problem.notJSON }
        let body = try await GatheredBody.gather(
            request,
            atMost: limit,
            from: site.bodies,
            of: .known,
        )
        if body.bytes.isEmpty, type.isEmpty { return body }
        guard Self.isJSON(type) else { throw Problem.notJSON }
        return body
    }

    private static func isJSON(_ type: [Substring]) -> Bool {
        type.first == "application/json"
            && type.dropFirst().allSatisfy { $0 == "charset=utf-8" }
    }
}
