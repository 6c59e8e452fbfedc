import Bytes

extension AppleState {
    /// Returns the response to a GET; nil for a path that is not served.
    ///
    /// Links begin with `origin`: scheme, host and port of this server.
    func read(_ request: ReceivedRequest, origin: String) -> AppleAnswer? {
        let parts = request.components
        guard parts.first == "v1" else { return nil }
        let page = ListPage(request: request, origin: origin)
        switch (parts.dropFirst().first, parts.count) {
        case ("devices", 2):
            let asked = request.values("filter[udid]").map { Set($0.map { $0.lowercased() }) }
            return page.answer(
                devices.filter { asked?.contains($0.udid.lowercased()) ?? true }
                    .map(document(of:))
            )
        case ("bundleIds", 2):
            // Like Apple's, this filter also finds identifiers that contain the text.
            let asked = request.parameter("filter[identifier]")
            return page.answer(
                bundleIDs.filter { asked.map($0.identifier.contains) ?? true }.map(document(of:))
            )
        case ("bundleIds", 4) where parts[3] == "bundleIdCapabilities":
            guard let bundleID = bundleIDs.first(where: { $0.id == parts[2] }) else {
                return .notFound("bundleIds", parts[2])
            }
            return page.answer(bundleID.capabilities.map(document(of:)))
        case ("certificates", 2):
            let asked = request.values("filter[certificateType]").map(Set.init)
            return page.answer(
                certificates.filter { asked?.contains($0.type) ?? true }.map(document(of:))
            )
        case ("certificates", 3):
            guard let found = certificates.first(where: { $0.id == parts[2] }) else {
                return .notFound("certificates", parts[2])
            }
            return page.answer(document(of: found))
        case ("profiles", _): return readProfiles(request, page)
        default: return nil
        }
    }

    private func readProfiles(_ request: ReceivedRequest, _ page: ListPage) -> AppleAnswer? {
        let parts = request.components
        let hasContent = request.values("fields[profiles]")?.contains("profileContent") ?? true
        guard parts.count > 2 else {
            let name = request.parameter("filter[name]")
            return page.answer(
                profiles.filter { name.map($0.name.contains) ?? true }
                    .map { document(of: $0, hasContent: hasContent) }
            )
        }
        guard let profile = profiles.first(where: { $0.id == parts[2] }) else {
            return .notFound("profiles", parts[2])
        }
        switch parts.count {
        case 3: return page.answer(document(of: profile, hasContent: hasContent))
        case 4 where parts[3] == "devices":
            return page.answer(
                devices.filter { profile.devices.contains($0.id) }.map(document(of:))
            )
        default: return nil
        }
    }
}

/// A page of a list, with the link to the next one in Apple's form: absolute, and with a parameter that is
/// already there.
struct ListPage {
    private static let usualLimit = 20

    let request: ReceivedRequest
    let origin: String

    func answer(_ resource: JSONValue) -> AppleAnswer {
        .json(.object(["data": resource, "links": .object(["self": .text(address)])]))
    }

    func answer(_ all: [JSONValue]) -> AppleAnswer {
        let limit = min(request.parameter("limit").flatMap(Int.init) ?? Self.usualLimit, 200)
        let start = request.parameter("cursor").flatMap { Int($0, radix: 16) } ?? 0
        let end = min(start + max(limit, 1), all.count)
        var links: [String: JSONValue] = ["self": .text(address)]
        if end < all.count {
            let kept = request.rawQuery.split(separator: "&")
                .filter { !$0.hasPrefix("cursor=") }.joined(separator: "&")
            let cursor = String(end, radix: 16)
            links["next"] = .text(
                "\(origin)\(request.path)?\(kept)&cursor=\(cursor)&limit=\(limit)"
            )
        }
        return .json(
            .object([
                "data": .list(start < end ? Array(all[start..<end]) : []),
                "links": .object(links),
                "meta": .object([
                    "paging": .object(["total": .integer(all.count), "limit": .integer(limit)])
                ]),
            ])
        )
    }

    private var address: String {
        origin + request.path + (request.rawQuery.isEmpty ? "" : "?" + request.rawQuery)
    }
}
