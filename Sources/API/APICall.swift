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

/// One authorised request to the API.
struct APICall: Sendable {
    let services: APIServices
    let principal: Principal
    let fields: HTTPFields
    /// Where a route takes a body off that comes as a flow.
    let channel: any Channel
    /// Nil for a request that carries none.
    let content: GatheredBody?
    /// The parts of the path that the pattern names.
    let parameters: [String: String]
    let query: [String: String]

    var site: Site { services.site }

    /// What the request carries; an empty object where an action that takes nothing came without.
    var body: [UInt8]? {
        content.map {
            $0.bytes.isEmpty && fields[.contentType] == nil ? Array("{}".utf8) : $0.bytes
        }
    }

    /// What the request acts on, in the name of its token.
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

    /// The address of the client: the peer, or what a trusted proxy reports.
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

    /// Runs work on the store where waiting is allowed.
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

    /// A whole number above 0 that the path names.
    func number(ofPath name: String) throws(Refusal) -> Int {
        guard let number = PathNumber.read(try parameter(name)) else { throw .notFound }
        return number
    }

    /// A whole number of the query within its bounds.
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

    /// `true` or `false` of the query; false without it.
    func flag(_ name: String) throws(BadParameter) -> Bool {
        switch query[name] {
        case nil, "false": false
        case "true": true
        default: throw BadParameter(name, fix: "give true or false")
        }
    }
}
