package import Bundles
package import Bytes
import Essentials
package import Releases
import Store

/// A release as six files that any HTTPS host can serve, without this server.
package struct StaticBundle: Sendable {
    package let release: Release
    /// The HTTPS URL at which the folder will be reachable.
    package let base: BaseURL

    package init(of release: Release, at base: BaseURL) {
        self.release = release
        self.base = base
    }

    /// The URLs that the page and the manifest need.
    package var folder: InstallFolder { InstallFolder(url: base.rawValue) }

    /// Writes the files into a folder, which is created if it does not exist.
    ///
    /// Each file is complete whenever it is read, and the manifest is written after what it names.
    ///
    /// - Parameters:
    ///   - path: the folder.
    ///   - page: the HTML of `install.html`.
    ///   - guide: the HTML of `help.html`, to which the page links.
    ///   - archive: the IPA.
    ///   - icons: the icons.
    /// - Returns: the paths of the written files.
    /// - Throws: ``SystemFailure``, or the archive's own failure.
    @discardableResult
    package func write(
        to path: String,
        page: String,
        guide: String,
        archive: any ByteSource,
        icons: IconSet,
    ) throws -> [String] {
        let manifest = InstallManifest(of: release, at: folder.manifestURLs(archiveName: "App"))
        let files: [(String, [UInt8])] = [
            ("icon-57.png", icons.png57),
            ("icon-512.png", icons.png512),
            ("manifest.plist", manifest.xml()),
            ("help.html", Array(guide.utf8)),
            ("install.html", Array(page.utf8)),
        ]
        // Readable by everyone, because the web server runs as another user.
        try FileManager.default.createDirectory(
            atPath: path,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o755],
        )
        let copy = path + "/App.ipa"
        try durableCopy(of: archive, to: copy, mode: .everyoneReads)
        for (name, bytes) in files {
            try durableWrite(bytes, to: path + "/" + name, mode: .everyoneReads)
        }
        return [copy] + files.map { path + "/" + $0.0 }
    }
}
