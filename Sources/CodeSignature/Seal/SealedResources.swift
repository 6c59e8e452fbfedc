package import Bytes
package import Problems
package import PropertyLists

/// The seal of a bundle's files: `_CodeSignature/CodeResources`.
package struct SealedResources: Sendable {
    /// The sealed content at a path.
    package enum Item: Hashable, Sendable {
        /// SHA-256 if the seal has it, else SHA-1.
        case file(sha256: [UInt8]?, sha1: [UInt8]?)
        case symbolicLink(target: RelativePath)
        /// Nested code, identified by its code directory hash (macOS).
        case code(hash: [UInt8])
        /// An entry without anything to compare.
        case malformed
    }

    package struct Entry: Hashable, Sendable {
        package let item: Item
        package let isOptional: Bool
    }

    /// 2 if there is a `files2`; devices then ignore the older section.
    package let version: Int
    /// By path relative to the bundle.
    package let entries: [RelativePath: Entry]
    package let rules: SealRuleSet
}

extension SealedResources {
    /// Reads a seal.
    ///
    /// - Throws: ``MalformedSeal`` when it is not a property list or has no list of files.
    package init(reading bytes: [UInt8]) throws(MalformedSeal) {
        var allowance = SealRuleSet.greatestSize
        try self.init(reading: bytes, allowance: &allowance)
    }

    /// Reads a seal; the nodes of its patterns are deducted from `allowance`.
    init(reading bytes: [UInt8], allowance: inout Int) throws(MalformedSeal) {
        let list: PropertyList
        do throws(MalformedPropertyList) {
            list = try PropertyList(reading: bytes, limits: .codeResources)
        } catch {
            throw .propertyList(error)
        }
        if let files = list["files2"] {
            try self.init(version: 2, files, rules: list["rules2"], &allowance)
        } else {
            try self.init(version: 1, list["files"], rules: list["rules"], &allowance)
        }
    }

    private init(
        version: Int,
        _ files: PropertyList?,
        rules: PropertyList?,
        _ allowance: inout Int,
    ) throws(MalformedSeal) {
        guard let files = files?.dictionary else { throw .noFiles }
        self.version = version
        // The keys of a property list are distinct byte sequences.
        entries = Dictionary(
            uniqueKeysWithValues: files.map { (RelativePath($0.key), Entry($0.value)) }
        )
        self.rules = SealRuleSet(rules, allowance: &allowance)
    }
}

extension SealedResources.Entry {
    /// Data is a SHA-1 digest; a dictionary has `hash`, `hash2`, `symlink` or `cdhash`.
    init(_ value: PropertyList) {
        var isOptional = false
        var target: String?
        var hashes: (code: [UInt8]?, sha256: [UInt8]?, sha1: [UInt8]?) = (nil, nil, value.data)
        // One pass instead of a search for each name; no other spelling of these means the same.
        for (key, value) in value.dictionary ?? [:] {
            switch key {
            case "optional": isOptional = value.boolean ?? false
            case "symlink": target = value.string
            case "cdhash": hashes.code = value.data
            case "hash2": hashes.sha256 = value.data
            case "hash": hashes.sha1 = value.data
            default: break
            }
        }
        self.isOptional = isOptional
        if let target {
            item = .symbolicLink(target: RelativePath(target))
        } else if let hash = hashes.code {
            item = .code(hash: hash)
        } else if hashes.sha256 == nil, hashes.sha1 == nil {
            item = .malformed
        } else {
            item = .file(sha256: hashes.sha256, sha1: hashes.sha1)
        }
    }
}

/// Why a seal cannot be read.
package enum MalformedSeal: ReportableError, Equatable {
    case propertyList(MalformedPropertyList)
    case noFiles
    /// It exceeds the size limit, in bytes.
    case tooLarge(Int)
    /// Reading the entry failed.
    case unreadable(String)

    package var description: String {
        switch self {
        case .propertyList(let malformed): "\(malformed)"
        case .noFiles: "seal has no list of files"
        case .tooLarge(let size): "seal of \(size.grouped) bytes is too large"
        case .unreadable(let reason): reason
        }
    }
}

extension MalformedSeal {
    package var id: String { "seal.malformed" }
    package var kind: Problem.Kind { .invalid }
    package var fix: String { "sign the app again" }
}
