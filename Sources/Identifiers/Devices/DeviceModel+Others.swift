extension DeviceModel {
    /// One name per line, a colon, and the product types with that name.
    static let others = """
        iPod touch: iPod1,1
        iPod touch (2nd generation): iPod2,1
        iPod touch (3rd generation): iPod3,1
        iPod touch (4th generation): iPod4,1
        iPod touch (5th generation): iPod5,1
        iPod touch (6th generation): iPod7,1
        iPod touch (7th generation): iPod9,1
        Apple TV: AppleTV1,1
        Apple TV (2nd generation): AppleTV2,1
        Apple TV (3rd generation): AppleTV3,1 AppleTV3,2
        Apple TV HD: AppleTV5,3
        Apple TV 4K: AppleTV6,2
        Apple TV 4K (2nd generation): AppleTV11,1
        Apple TV 4K (3rd generation): AppleTV14,1
        Apple Vision Pro: RealityDevice14,1
        Apple Vision Pro (M5): RealityDevice17,1
        """
}
