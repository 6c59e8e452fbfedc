import Foundation
import OTAServer
import PropertyLists
import Releases

/// The requests of a phone from the page to the IPA.
struct InstallPath {
    /// The folder of the capability, such as `/install/AbC…`.
    let folder: String
    let archive: String

    /// Follows the page's link and the manifest, as the installer does.
    static func follow(
        _ site: TestSite,
        page: String = "/apps/demo-co",
    ) async throws -> InstallPath {
        let page = try await WireClient.get(site, page)
        guard page.status == 200,
            let link = page.text.components(separatedBy: "action=download-manifest&amp;url=")
                .dropFirst().first,
            let encoded = link.split(separator: "\"").first,
            let url = String(encoded).removingPercentEncoding
        else { throw NoLink(status: page.status) }
        let path = String(url.dropFirst(site.addresses.baseURL.rawValue.count))
        let manifest = try await WireClient.get(site, path)
        let list = try PropertyList(reading: manifest.body)
        guard manifest.status == 200, let item = list["items"]?.array?.first,
            let archive = item["assets"]?.array?.first?["url"]?.string
        else { throw NoLink(status: manifest.status) }
        return InstallPath(
            folder: String(path.dropLast("/manifest.plist".count)),
            archive: String(archive.dropFirst(site.addresses.baseURL.rawValue.count)),
        )
    }

    struct NoLink: Error {
        let status: Int
    }
}
