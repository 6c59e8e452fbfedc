import Access
import Bundles
import Foundation
import Identifiers
import Releases
import Store
import TestSupport
import Testing

/// The origin of a release, which can be verified without this server.
@Suite(.timeLimit(.minutes(10)))
struct AdminOriginTests {
    @Test func `the statement and the key that admins download prove the build elsewhere`()
        async throws
    {
        let ota = try #require(Program(built: "ota"))
        try await UploadSite.run { uploads in
            let path = try await uploads.begin()
            let answer = try await uploads.append(path, uploads.build, at: 0, isLast: true)
            try #require(answer.status == 201, "\(answer.text)")
            let site = uploads.site
            let app = try #require(try site.store.apps().first { $0.title == "Browsey" })
            let page = "/admin/apps/\(app.slug)/1.0-1/provenance"
            let admin = try await AdminClient.admin(site)
            let statement = try await admin.get(page + ".json")
            let key = try await admin.get(page + ".pem")
            for file in [statement, key] {
                #expect(file.status == 200)
                #expect(file.fields["content-disposition"]?.hasPrefix("attachment") == true)
            }
            let folder = site.folder
            try Data(statement.body).write(to: folder.appending(path: "provenance.json"))
            try Data(key.body).write(to: folder.appending(path: "server.pem"))
            try Data(uploads.build).write(to: folder.appending(path: "App.ipa"))
            let words = [
                "releases", "verify", "--statement", "provenance.json", "--key", "server.pem",
                "--ipa", "App.ipa",
            ]
            let proven = try await ota.run(words, in: folder)
            #expect(proven.status == 0 && proven.output.contains("Verified."), "\(proven)")
            try Data(uploads.build.dropLast()).write(to: folder.appending(path: "App.ipa"))
            #expect(try await ota.run(words, in: folder).status == 1)
            let nobody = try await WireClient.get(site, page + ".json")
            #expect(nobody.status == 401, "\(nobody.status)")
            let stranger = try await AdminClient.admin(
                site,
                Scope(.read, app: BundleIdentifier("com.example.demo")),
            )
            #expect(try await stranger.get(page + ".json").status == 404)
            #expect(try await stranger.get(page + ".pem").status == 404)
        }
    }
}
