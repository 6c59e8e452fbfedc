import APIDocuments
import Access
import Administration
import Bundles
import Foundation
import HTTPServing
import HTTPTypes
import Hummingbird
import NIOCore
import Problems
import Releases
import SiteServices
import Store

/// An authorised request to the API.
struct APICall: Sendable {
    let services: APIServices
    let principal: Principal
    let fields: HTTPFields
    /// The connection, from which a route that streams the body reads it.
    let channel: any Channel
    /// Nil for a request without a body.
    let content: GatheredBody?
    /// The values of the placeholders in the path.
    let parameters: [String: String]
    let query: [String: String]

    var site: Site { services.site }

    /// The body; an empty object if it is empty and has no content type, which an action without input
    /// allows.
    var body: [UInt8]? {
        content.map {
            $0.bytes.isEmpty && fields[.contentType] == nil ? Array("{}".utf8) : $0.bytes
        }
    }

    /// Performs the request's action with the rights of its token.
    var administration: LocalAdministration {
        var local = LocalAdministration(
            admin,
            anchors: services.profileAnchors,
            links: site.links,
            holder: principal,
        )
        local.keyFile = services.keyFile
        local.accounts = services.accounts
        local.runnerAgent = services.runnerAgent
        local.providers = services.site.people.transport
        local.mail = services.mail
        local.standing = services.standing()
        return local
    }

    /// The client's address: the peer's, or the one reported by a trusted proxy.
    var address: String {
        ClientAddress.of(
            peer: channel.remoteAddress?.ipAddress ?? "",
            forwardedFor: fields[.forwardedFor],
            proxies: site.proxies,
        )
    }

    var admin: Administrator {
        Administrator(of: site.store, named: principal.name, clock: site.clock)
    }

    /// Runs work on the store on a thread that may block.
    func answer(
        _ make: @escaping @Sendable (LocalAdministration) throws -> APIAnswer
    ) async throws -> APIAnswer {
        let administration = administration
        return try await site.work { try make(administration) }
    }

    func parameter(_ name: String) throws(Refusal) -> String {
        guard let text = parameters[name] else { throw .notFound }
        return text
    }

    /// A whole number above 0 in the path.
    func number(ofPath name: String) throws(Refusal) -> Int {
        guard let number = PathNumber.read(try parameter(name)) else { throw .notFound }
        return number
    }

    /// A whole number in the query, within bounds.
    func number(
        _ name: String,
        in bounds: ClosedRange<Int>,
        else usual: Int,
    ) throws(BadParameter) -> Int {
        guard let text = query[name] else { return usual }
        guard let number = Int(text), bounds.contains(number) else {
            throw BadParameter(
                name,
                fix: "give a whole number from \(bounds.lowerBound) to \(bounds.upperBound)",
            )
        }
        return number
    }

    /// `true` or `false` in the query; false if absent.
    func flag(_ name: String) throws(BadParameter) -> Bool {
        switch query[name] {
        case nil, "false": false
        case "true": true
        default: throw BadParameter(name, fix: "give true or false")
        }
    }
}
