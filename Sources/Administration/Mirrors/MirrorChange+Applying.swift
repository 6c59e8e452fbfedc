package import APIDocuments
import Bytes
import GitRepositories
package import Mirrors
import Versions

extension MirrorChange {
    private static let patternLimit = 50
    private static let intervals = 10...30 * 86_400
    private static let timeLimits = 1...7 * 86_400
    private static let megabytes = 1...1 << 20
    private static let memory = 64...1 << 20

    /// Checks the change by itself, independently of any mirror.
    ///
    /// - Throws: ``AddressFlaw`` and ``MirrorRefusal/badSetting(_:_:)``.
    package func check() throws {
        if let address { _ = try MirrorAddress(checking: address, allowsFiles: allowFile == true) }
        let lists = [
            ("tags", tags), ("branches", branches), ("trusted", trusted), ("apps", apps),
        ]
        for (name, patterns) in lists {
            guard (1...Self.patternLimit).contains(patterns?.count ?? 1) else {
                throw MirrorRefusal.badSetting(name, "1 to \(Self.patternLimit) patterns")
            }
        }
        if let trusted, !trusted.allSatisfy(\.isOfReferences) {
            throw MirrorRefusal.badSetting("trusted", "patterns such as tags/v* and heads/main")
        }
        if let prefix, !prefix.isEmpty, (try? TagName(prefix + "v1")) == nil {
            throw MirrorRefusal.badSetting("prefix", "the prefix of tags, such as browsey/")
        }
        if let pipelinePath, !Self.isInside(pipelinePath) {
            throw MirrorRefusal.badSetting(
                "pipelinePath",
                "a printable path inside the repository, of at most 500 bytes",
            )
        }
        for folder in readFolders ?? [] where !Self.isReadable(folder) {
            throw MirrorRefusal.badSetting(
                "readFolders",
                "absolute paths of at most 500 bytes such as /opt/swift, not of /, /dev, /proc or "
                    + "/sys",
            )
        }
        guard (readFolders?.count ?? 0) <= Self.patternLimit else {
            throw MirrorRefusal.badSetting("readFolders", "at most \(Self.patternLimit) folders")
        }
        guard (pipeline?.utf8.count ?? 0) <= Pipeline.sizeLimit else {
            throw MirrorRefusal.badSetting(
                "pipeline",
                "at most \(Pipeline.sizeLimit.grouped) bytes",
            )
        }
        if let interval, interval != 0 {
            try Self.check(
                interval,
                "interval",
                Self.intervals,
                "seconds, or 0 for only on demand",
            )
        }
        try Self.check(timeLimit, "timeLimit", Self.timeLimits, "seconds")
        try Self.check(sizeLimit, "sizeLimit", Self.megabytes, "megabytes")
        try Self.check(diskLimit, "diskLimit", Self.megabytes, "megabytes")
        try Self.check(memoryLimit, "memoryLimit", Self.memory, "megabytes")
    }

    /// - Throws: what ``check()`` throws; nothing has changed then.
    package func apply(to mirror: inout Mirror) throws {
        try check()
        if let address {
            mirror.address = try MirrorAddress(checking: address, allowsFiles: allowFile == true)
        }
        let usual = Mirror.trusted(tags: mirror.tags, branches: mirror.branches)
        if let tags { mirror.tags = tags }
        if let branches { mirror.branches = branches }
        // If an admin has restricted the trusted references, they stay as they are.
        if mirror.trusted == usual {
            mirror.trusted = Mirror.trusted(tags: mirror.tags, branches: mirror.branches)
        }
        if let trusted { mirror.trusted = trusted }
        if let apps { mirror.apps = apps.contains(.anything) ? nil : apps }
        if let prefix { mirror.prefix = prefix.isEmpty ? nil : prefix }
        if let pipelinePath { mirror.pipelinePath = pipelinePath }
        if let pipeline { mirror.pipeline = pipeline.isEmpty ? nil : pipeline }
        if let interval { mirror.interval = interval == 0 ? nil : interval }
        if let user { mirror.user = user.isEmpty ? nil : user }
        if let isolation { mirror.isolation = isolation.choice }
        if let network { mirror.allowsNetwork = network }
        if let symbolicLinks { mirror.makesSymbolicLinks = symbolicLinks }
        if let submodules { mirror.submodules = submodules.choice }
        if let readFolders {
            mirror.readableFolders = readFolders.isEmpty ? nil : readFolders.map(Self.plain)
        }
        if let timeLimit { mirror.limits.buildSeconds = timeLimit }
        if let sizeLimit { mirror.limits.fileBytes = sizeLimit << 20 }
        if let diskLimit { mirror.limits.diskBytes = diskLimit << 20 }
        if let memoryLimit { mirror.limits.memory = memoryLimit << 20 }
        if let paused { mirror.isPaused = paused }
    }

    private static func check(
        _ number: Int?,
        _ name: String,
        _ bounds: ClosedRange<Int>,
        _ unit: String,
    ) throws(MirrorRefusal) {
        guard let number, !bounds.contains(number) else { return }
        throw .badSetting(name, "\(bounds.lowerBound) to \(bounds.upperBound) \(unit)")
    }

    /// Whether the path is absolute, and not in a system folder that `bwrap` replaces.
    private static func isReadable(_ path: String) -> Bool {
        let parts = path.pathParts.filter { !$0.isEmpty }
        guard path.utf8.first == UInt8(ascii: "/"), path.utf8.count <= 500, let top = parts.first,
            !parts.contains(".."), !parts.contains(".")
        else { return false }
        return !["dev", "proc", "sys"].contains(top) && PrintableText.isName(path, limit: 500)
    }

    /// With single slashes between components and none at the end.
    private static func plain(_ path: String) -> String {
        path.pathParts.filter { !$0.isEmpty }.map { "/" + $0 }.joined()
    }

    private static func isInside(_ path: String) -> Bool {
        let parts = path.pathParts
        return !path.hasPrefix("-") && !parts.contains("..") && !parts.contains("")
            && PrintableText.isName(path, limit: 500) && path.utf8.count <= 500
    }
}

extension SubmoduleChoice {
    fileprivate var choice: SubmodulePolicy? {
        switch self {
        case .none: nil
        case .sameHost: .sameHost
        case .any: .any
        }
    }
}

extension IsolationChoice {
    fileprivate var choice: Mirror.Isolation {
        switch self {
        case .none: .none
        case .bwrap: .bwrap
        }
    }
}
