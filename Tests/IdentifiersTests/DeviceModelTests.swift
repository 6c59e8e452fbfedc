import Foundation
import Identifiers
import Testing

struct DeviceModelTests {
    @Test(arguments: [
        ("iPhone1,1", "iPhone", DeviceFamily.phone), ("iPhone15,2", "iPhone 14 Pro", .phone),
        ("iPhone18,4", "iPhone Air", .phone),
        ("iPad8,10", "iPad Pro 11-inch (2nd generation)", .pad),
        ("iPad16,3", "iPad Pro 11-inch (M4)", .pad), ("iPad15,7", "iPad (A16)", .pad),
        ("iPod9,1", "iPod touch (7th generation)", .phone),
        ("Watch7,12", "Apple Watch Ultra 3", .watch),
        ("AppleTV5,3", "Apple TV HD", .tv), ("RealityDevice14,1", "Apple Vision Pro", .vision),
    ])
    func `a model has the name on its box`(
        product: String,
        name: String,
        family: DeviceFamily,
    ) throws {
        let model = DeviceModel(try #require(ProductType(product)))
        #expect(model.name == name)
        #expect(model.family == family)
        #expect(model.isKnown)
        #expect(DeviceModel.name(of: product) == name)
    }

    @Test(arguments: [
        ("iPhone99,1", "iPhone (iPhone99,1)"), ("iPad99,12", "iPad (iPad99,12)"),
        ("RealityDevice99,1", "Apple Vision (RealityDevice99,1)"), ("Mac16,1", "Mac (Mac16,1)"),
        ("Toaster1,1", "Device (Toaster1,1)"),
    ])
    func `a model of the future is called by its line`(product: String, name: String) throws {
        let model = DeviceModel(try #require(ProductType(product)))
        #expect(model.name == name)
        #expect(!model.isKnown)
    }

    @Test func `every line of the tables is well-formed, and no model has two names`() {
        let products = DeviceModel.entries.map(\.product)
        #expect(products.count == Set(products).count)
        #expect(products.count > 200)
        for product in products {
            let type = ProductType(product)
            #expect(type != nil, "\(product)")
            #expect(type.map { DeviceModel($0).family } != .some(nil), "\(product)")
        }
    }

    @Test(arguments: [
        "", "iPhone", "iPhone,", "iPhone1", "iPhone1,", "iPhone,1", "1,1", "iPhone1,2,3",
        "iPhone1, 2", " iPhone1,2", "iPhone1,2\n", "iPhone1000,1", "iPhone1,1000", "ïPhone1,2",
        "iPhone-1,2", "iPhone１,２", String(repeating: "a", count: 21) + "1,1",
    ])
    func `a product type that is none is refused`(text: String) {
        #expect(ProductType(text) == nil)
        #expect(DeviceModel.name(of: text) == text)
    }

    @Test(arguments: [
        ("16A366", "12.0"), ("16E227", "12.2"), ("17A577", "13.0"), ("17D50", "13.3"),
        ("18A8395", "14.0"), ("18H107", "14.8"), ("19H12", "15.7"), ("20A362", "16.0"),
        ("20E772520a", "16.4"), ("21E236", "17.4"), ("21E5184i", "17.4"), ("22G86", "18.6"),
        ("23A341", "26.0"), ("23C55", "26.2"), ("15E216", "11.0"), ("24A446", "27.0"),
    ])
    func `a build tells the version that it is at least of`(build: String, version: String) {
        #expect(OSBuild(build)?.version == OSVersion(version))
    }

    @Test(arguments: ["21J354", "21R355", "21N301", "1A543a", "99"])
    func `builds of other systems and other texts tell none`(text: String) {
        #expect(OSBuild(text)?.version == nil)
    }

    @Test(arguments: [
        "", "21", "21E", "21e236", "2E236", "21E236aa", "21E12345678", "２１E236", "17.4",
    ])
    func `a build that is none is refused`(text: String) {
        #expect(OSBuild(text) == nil)
    }
}
