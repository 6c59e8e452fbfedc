import Bytes
package import Versions

extension BareRepository {
    /// Returns the submodules of a commit, each with a path inside the checkout, a valid address and an
    /// allowed server.
    ///
    /// - Throws: ``SubmoduleFlaw`` and ``GitFailure``.
    package func submodules(
        of commit: CommitIdentifier,
        fetchedFrom address: MirrorAddress,
        allowing allowed: SubmodulePolicy,
    ) async throws -> [Submodule] {
        let links = try await links(in: commit)
        guard !links.isEmpty else { return [] }
        guard links.count <= Submodule.countLimit else { throw SubmoduleFlaw.tooMany }
        let listed = try await listedSubmodules(of: commit)
        return try links.sorted { $0.key < $1.key }.map { path, link in
            guard Self.isInside(path) else { throw SubmoduleFlaw.path(path) }
            guard let text = listed[path] else { throw SubmoduleFlaw.notListed(path) }
            let target = try Self.address(text, of: path, beside: address)
            if allowed == .sameHost, !target.isOnServer(of: address) {
                throw SubmoduleFlaw.otherServer(path, target.host ?? "this machine")
            }
            return Submodule(path: path, address: target, commit: link)
        }
    }

    /// Reads addresses by path from `.gitmodules`; its other settings, such as update commands, are
    /// ignored.
    private func listedSubmodules(of commit: CommitIdentifier) async throws -> [String: String] {
        let path = ".gitmodules"
        let limit = Submodule.sizeLimit
        guard try await file(path, at: commit, limit: limit) != nil else { return [:] }
        let listing = try await git.output([
            "config", "--blob", "\(commit):\(path)", "--no-includes", "--null", "--list",
        ])
        var paths: [Substring: String] = [:]
        var addresses: [Substring: String] = [:]
        for entry in listing.split(separator: "\0") {
            guard let end = entry.firstIndex(of: "\n"), entry.hasPrefix("submodule."),
                let dot = entry[..<end].lastIndex(of: ".")
            else { continue }
            let name = entry[..<dot]
            let value = String(entry[entry.index(after: end)...])
            switch entry[entry.index(after: dot)..<end] {
            case "path": paths[name] = value
            case "url": addresses[name] = value
            default: continue
            }
        }
        var listed: [String: String] = [:]
        for (name, path) in paths { listed[path] = addresses[name] }
        return listed
    }

    private static func isInside(_ path: String) -> Bool {
        guard path.first != "-", path.utf8.count <= 500 else { return false }
        return path.pathParts.allSatisfy { part in
            !part.isEmpty && part != "." && part != ".."
                && !part.lowercased().hasPrefix(".git")
                && part.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0 != "\\" && $0 != ":" }
        }
    }

    /// Returns an absolute address as it is, and resolves one that begins with `./` or `../` against the
    /// mirror's.
    private static func address(
        _ text: String,
        of path: String,
        beside base: MirrorAddress,
    ) throws(SubmoduleFlaw) -> MirrorAddress {
        let isRelative = text.hasPrefix("./") || text.hasPrefix("../")
        let full = isRelative ? try relative(text, to: base.description, path) : text
        do {
            let isBeside = isRelative && base.kind == .file
            return try MirrorAddress(checking: full, allowsFiles: isBeside)
        } catch {
            throw .address(path, error)
        }
    }

    /// Resolves an address as git does: every `../` removes a component of the mirror's path, but never its
    /// server.
    private static func relative(
        _ text: String,
        to base: String,
        _ path: String,
    ) throws(SubmoduleFlaw) -> String {
        var base = Substring(base)
        while base.last == "/" { base.removeLast() }
        var rest = Substring(text)
        while true {
            if rest.hasPrefix("./") {
                rest = rest.dropFirst(2)
            } else if rest.hasPrefix("../") {
                rest = rest.dropFirst(3)
                let scheme = base.firstRange(of: "://")
                let start = scheme?.upperBound ?? base.startIndex
                // In the scp-like form the path begins after a colon; elsewhere a colon precedes a port.
                let marks = scheme == nil ? "/:" : "/"
                guard base.last != ":", let cut = base[start...].lastIndex(where: marks.contains),
                    cut > start
                else { throw .climbs(path) }
                base = base[cut] == ":" ? base[...cut] : base[..<cut]
            } else {
                break
            }
        }
        return base.last == ":" ? "\(base)\(rest)" : "\(base)/\(rest)"
    }
}
