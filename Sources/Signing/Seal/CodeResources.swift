package import Bytes
package import PropertyLists

/// The seal of a bundle's files: `_CodeSignature/CodeResources`, version 2, as Xcode 26 writes it.
///
/// On iOS, nested code is not sealed as code: each of its files is listed individually.
package struct CodeResources: Sendable {
    /// A file as the seal describes it.
    package enum Sealed: Hashable, Sendable {
        case file(sha1: [UInt8], sha256: [UInt8])
        case symbolicLink(target: RelativePath)
    }

    /// By path relative to the bundle, without the main executable and `_CodeSignature`.
    package var files: [RelativePath: Sealed]

    package init(_ files: [RelativePath: Sealed]) {
        self.files = files
    }

    package var propertyList: PropertyList {
        .dictionary([
            "files": .dictionary(entries(by: ResourceRule.version1, version: 1)),
            "files2": .dictionary(entries(by: ResourceRule.version2, version: 2)),
            "rules": ResourceRule.propertyList(ResourceRule.version1),
            "rules2": ResourceRule.propertyList(ResourceRule.version2),
        ])
    }

    private func entries(by rules: [ResourceRule], version: Int) -> [String: PropertyList] {
        var entries: [String: PropertyList] = [:]
        for (path, sealed) in files {
            guard let rule = ResourceRule.deciding(path, in: rules), !rule.isOmitted else {
                continue
            }
            var entry: [String: PropertyList] = [:]
            switch sealed {
            case .file(let sha1, _) where version == 1:
                guard rule.isOptional else {
                    entries[path.text] = .data(sha1)
                    continue
                }
                entry["hash"] = .data(sha1)
            case .file(_, let sha256):
                entry["hash2"] = .data(sha256)
            case .symbolicLink(let target):
                guard version == 2 else { continue }
                entry["symlink"] = .string(target.text)
            }
            if rule.isOptional { entry["optional"] = .boolean(true) }
            entries[path.text] = .dictionary(entry)
        }
        return entries
    }
}

extension CodeResources {
    /// Whether codesign seals a file that is not the main executable.
    ///
    /// `BundleDiskRep::adjustResources` leaves out the `_CodeSignature` folder, an old link to the seal
    /// in it, and an App Store receipt.
    static func isSealed(_ path: RelativePath) -> Bool {
        !path.isBelow("_CodeSignature") && path != "CodeResources" && !path.isBelow("_MASReceipt")
    }
}
