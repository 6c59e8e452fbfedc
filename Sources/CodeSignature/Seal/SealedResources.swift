package import Bytes
package import Problems
package import PropertyLists

/// The seal of a bundle's files: `_CodeSignature/CodeResources`.
package struct SealedResources: Sendable {
    /// What must stand at a path.
    package enum Item: Hashable, Sendable {
        /// SHA-256 where the seal has it, else SHA-1.
        case file(sha256: [UInt8]?, sha1: [UInt8]?)
        case symbolicLink(target: RelativePath)
        /// Code with a signature of its own, known by its code directory (macOS).
        case code(hash: [UInt8])
        /// Nothing that can be compared.
        case malformed
    }

    package struct Entry: Hashable, Sendable {
        package let item: Item
        package let isOptional: Bool
    }

    /// 2 wherever `files2` is there: no device reads the older part then.
    package let version: Int
    /// By path relative to the bundle.
    package let entries: [RelativePath: Entry]
    package let rules: SealRuleSet
}

extension SealedResources {
    /// Reads a seal.
    ///
    /// - Throws: ``MalformedSeal`` when it is no property list or has no list of files.
    package init(reading bytes: [UInt8]) throws(MalformedSeal) {
        var allowance = SealRuleSet.greatestSize
        try self.init(reading: bytes, allowance: &allowance)
    }

    /// Reads a seal, the parts of whose patterns are taken from `allowance`.
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
        // No two names of a property list are the same bytes.
        entries = Dictionary(
            uniqueKeysWithValues: files.map { (RelativePath($0.key), Entry($0.value)) }
        )
        self.rules = SealRuleSet(rules, allowance: &allowance)
    }
}

extension SealedResources.Entry {
    /// Data is a SHA-1 digest; a dictionary has `hash`, `hash2`, `symlink` or `cdhash`.
    init(_ value: PropertyList) {
        isOptional = value["optional"]?.boolean ?? false
        if let target = value["symlink"]?.string {
            item = .symbolicLink(target: RelativePath(target))
        } else if let hash = value["cdhash"]?.data {
            item = .code(hash: hash)
        } else {
            let sha256 = value["hash2"]?.data
            let sha1 = value.data ?? value["hash"]?.data
            item = sha256 == nil && sha1 == nil ? .malformed : .file(sha256: sha256, sha1: sha1)
        }
    }
}

/// Why a seal says nothing.
package enum MalformedSeal: ReportableError, Equatable {
    case propertyList(MalformedPropertyList)
    case noFiles
    /// More bytes than are read.
    case tooLarge(Int)
    /// The entry itself could not be read.
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
