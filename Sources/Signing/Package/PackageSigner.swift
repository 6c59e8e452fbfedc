import Bundles
package import Bytes
package import PropertyLists
package import Zip

/// Signs the app of an archive, with everything inside it.
///
/// Reads the archive once to find all code and to digest every file, plans each signature inside out,
/// and leaves the writing to the plan: what is signed is known before a byte is written.
///
///     let signer = try PackageSigner(archive, for: request)
///     let plan = try signer.plan()
///     try plan.write { try file.write($0) }
package struct PackageSigner: Sendable {
    let archive: ZipArchive
    let request: SigningRequest
    let application: AppBundle
    /// Claims of bundles that lie beside the app, in an archive of Xcode: by the folder's name.
    let archived: [RelativePath: PropertyList]

    /// Finds the archive's one app.
    ///
    /// - Parameters:
    ///   - archive: an IPA, or a folder as one.
    ///   - request: with what it is signed.
    ///   - archived: what Xcode's `.xcent` files beside an unsigned app claim, by the name of the
    ///     bundle's folder, such as `App.app`.
    /// - Throws: ``SigningRefusal/archive(_:)``.
    package init(
        _ archive: ZipArchive,
        for request: SigningRequest,
        archived: [RelativePath: PropertyList] = [:],
    ) throws(SigningRefusal) {
        self.archive = archive
        self.request = request
        self.archived = archived
        do throws(BundleRefusal) {
            application = try AppBundle(in: archive)
        } catch {
            throw .archive(error)
        }
    }

    /// Plans every signature, without writing anything.
    ///
    /// - Parameters:
    ///   - threads: that read and digest at once.
    ///   - progress: is called with the share that is done, from any thread.
    /// - Returns: the same for equal arguments.
    /// - Throws: ``SigningRefusal``, the first in the order of the bundles, the app's own last.
    package func plan(
        threads: Int = 2,
        progress: @escaping @Sendable (Double) -> Void = { _ in },
    ) throws(SigningRefusal) -> SigningPlan {
        throw .archive(.bundle(.noApplication, place: "", detail: ""))
    }
}
