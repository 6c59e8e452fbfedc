package import Essentials
package import PropertyLists
package import Zip

/// Builds and signs an IPA from scratch.
///
/// A value type: each step returns a modified copy, so that a test can vary a valid one.
///
///     let ipa = try IPABuilder("Demo", identifier: "com.example.demo", by: authority, at: date)
///         .profile(.init(.adHoc, devices: [udid], created: date))
///         .nesting(.widget("DemoWidget"))
///         .bytes()
package struct IPABuilder: Sendable {
    package var app: BundleDraft
    package var profile: ProfileBuilder
    package var authority: SigningAuthority
    /// The signing time.
    package var date: Date
    /// The variants of the archive's format.
    package var packing = ZipWriter.Options()
    /// Applied in order to the signed files before they are packed.
    package var changes: [@Sendable (inout SampleTree) throws -> Void] = []

    /// An app with an Ad Hoc profile for ``SampleDevices/one``, valid for a year from `date`.
    package init(
        _ name: String,
        identifier: String,
        by authority: SigningAuthority,
        at date: Date,
    ) {
        self.init(
            BundleDraft(.application, named: name, identifier: identifier),
            by: authority,
            at: date,
        )
    }

    package init(_ app: BundleDraft, by authority: SigningAuthority, at date: Date) {
        self.app = app
        self.authority = authority
        self.date = date
        profile = ProfileBuilder(.adHoc, devices: [SampleDevices.one], created: date)
    }

    /// The signed files in the order of the archive, with ``changes`` applied.
    package func tree() throws -> SampleTree {
        let draft = app.resolved(in: nil)
        let folder = "Payload/\(draft.name).app"
        let assembly = BundleAssembly(authority: authority, date: date)
        let files = try assembly.files(of: draft, profile: draft.profile ?? profile)
        var tree = SampleTree(
            app: folder,
            executable: draft.name,
            files: BundleAssembly.addingFolders(
                to: files.map { file in
                    var file = file
                    file.path = "\(folder)/\(file.path)"
                    return file
                }
            ),
        )
        for change in changes { try change(&tree) }
        return tree
    }
}

/// Steps; each is named after what it changes.
extension IPABuilder {
    package func editing(_ change: (inout IPABuilder) throws -> Void) rethrows -> IPABuilder {
        var copy = self
        try change(&copy)
        return copy
    }

    package func displayName(_ name: String) -> IPABuilder { editing { $0.app.displayName = name } }

    package func version(_ version: String, build: String) -> IPABuilder {
        editing {
            $0.app.version = version
            $0.app.build = build
        }
    }

    package func minimumOS(_ version: String) -> IPABuilder {
        editing { $0.app.minimumOS = version }
    }

    /// 1 for iPhone, 2 for iPad.
    package func families(_ families: Int...) -> IPABuilder {
        editing { $0.app.families = families }
    }

    /// Sets a key of the app's Info.plist; nil removes it.
    package func info(_ key: String, _ value: PropertyList?) -> IPABuilder {
        editing { $0.app.info[key] = .some(value) }
    }

    /// Signs the app with an entitlement that its profile also grants; nil removes one.
    package func entitlement(_ key: String, _ value: PropertyList?) -> IPABuilder {
        editing { $0.app.entitlements[key] = .some(value) }
    }

    package func resource(_ file: SampleFile) -> IPABuilder {
        editing { $0.app.resources.append(file) }
    }

    /// Makes the IPA about `megabytes` larger with incompressible files of 16 MiB.
    ///
    /// Signing and packing use the memory of one such file, regardless of the total size.
    package func padded(megabytes: Int) -> IPABuilder {
        editing { builder in
            let sizes = stride(from: 0, to: megabytes, by: 16).map { min(16, megabytes - $0) }
            for (number, size) in sizes.enumerated() {
                builder.app.resources.append(.noise("Media/\(number).mov", count: size << 20))
            }
        }
    }

    package func nesting(_ drafts: BundleDraft...) -> IPABuilder {
        editing { $0.app.nested += drafts }
    }

    package func profile(_ profile: ProfileBuilder) -> IPABuilder {
        editing { $0.profile = profile }
    }

    package func editingProfile(_ change: (inout ProfileBuilder) -> Void) -> IPABuilder {
        editing { change(&$0.profile) }
    }

    /// Removes the app's `embedded.mobileprovision`.
    package func withoutProfile() -> IPABuilder { editing { $0.app.hasProfile = false } }

    /// Changes the signing options of the app; nested bundles have their own.
    package func signing(_ change: (inout SigningOptions) -> Void) -> IPABuilder {
        editing { change(&$0.app.signing) }
    }

    package func unsigned() -> IPABuilder { signing { $0.isSigned = false } }

    /// Changes the signed files, so that the seal no longer matches.
    package func afterSigning(
        _ change: @escaping @Sendable (inout SampleTree) throws -> Void
    ) -> IPABuilder {
        editing { $0.changes.append(change) }
    }
}
